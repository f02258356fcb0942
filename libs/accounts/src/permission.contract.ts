import { z } from 'zod';

/** What a person or a token may do in the back office. The names are the scopes of tokens too (docs/people.md). */
export const PERMISSIONS = [
  'orders:read',
  'orders:act',
  'orders:note',
  'orders:reveal',
  'orders:erase',
  'orders:import',
  'listings:read',
  'listings:write',
  'delivery:read',
  'delivery:act',
  'money:read',
  'money:act',
  'runs:act',
  'audit:read',
  'stream:read',
  'admin',
] as const;

export const Permission = z.enum(PERMISSIONS).meta({ id: 'Permission' });
export type Permission = z.infer<typeof Permission>;

export const ROLES = ['administrator', 'operations', 'support', 'broker', 'viewer', 'auditor'] as const;

export const Role = z.enum(ROLES).meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

/** The one table of roles: guards, console and docs are made from it. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: PERMISSIONS,
  operations: [
    'orders:read',
    'orders:act',
    'orders:note',
    'orders:reveal',
    'listings:read',
    'listings:write',
    'delivery:read',
    'delivery:act',
    'money:read',
    'money:act',
    'runs:act',
    'stream:read',
  ],
  support: ['orders:read', 'orders:act', 'orders:note', 'orders:reveal', 'listings:read', 'delivery:read'],
  broker: ['orders:read', 'orders:act', 'orders:note', 'listings:read', 'listings:write'],
  viewer: ['orders:read', 'listings:read', 'delivery:read', 'money:read'],
  auditor: ['orders:read', 'listings:read', 'delivery:read', 'money:read', 'audit:read'],
};

/** The permissions of somebody with these roles, in the order of the table. */
export function permissionsOf(roles: readonly Role[]): Permission[] {
  return PERMISSIONS.filter((permission) => roles.some((role) => ROLE_PERMISSIONS[role].includes(permission)));
}

/** The sellers whose orders and listings somebody sees; null: of all. A broker with a further role sees everything. */
export function sellersSeen({
  roles,
  sellers,
}: Readonly<{ roles: readonly Role[]; sellers: readonly string[] | null }>): readonly string[] | null {
  return roles.every((role) => role === 'broker') ? (sellers ?? []) : null;
}

export const RoleTable = z
  .object({
    permissions: z.array(Permission),
    roles: z.array(z.object({ name: Role, permissions: z.array(Permission) })),
  })
  .meta({ id: 'RoleTable' });
export type RoleTable = z.infer<typeof RoleTable>;
