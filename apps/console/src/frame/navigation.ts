import { useLocation, useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Permission } from '#accounts/permission.contract';

/** How a page stands in the navigation. It is a part of the page's route, and the order of the routes is that of the entries. */
type NavigationEntry = Readonly<{
  name: string;
  /** The lines of its icon on a grid of 24. */
  icon: string;
  needs: Permission;
  /** How much waits there. */
  Count?: ComponentType;
  isSetting?: boolean;
  /** The key after `g` that goes there, and what the list of keys says of it. */
  go?: Readonly<{ key: string; words: string }>;
}>;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    navigation?: NavigationEntry;
  }
}

/** Every page of the navigation. */
export function useNavigation() {
  return Object.values(useRouter().routesById).flatMap(({ fullPath, options }) => {
    const entry = options.staticData?.navigation;
    return entry ? [{ ...entry, to: fullPath }] : [];
  });
}

/** The page of the navigation that the address belongs to. */
export function useNavigationPage() {
  const { pathname } = useLocation();
  return useNavigation().find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
}
