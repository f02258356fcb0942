import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import { seesOrder, seesSeller } from '#domain/order-access';
import type { Permission } from './permission.contract.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { IdempotencyInterceptor } from '#web/idempotency.interceptor';
import { AuditInterceptor } from './audited.js';
import { Callers } from './callers.js';
import { FreshProofs } from './fresh-proof.js';
import { SELLER_SCOPE, SellerLookup, type SellerScopeKind } from './seller-scope.js';
import type { StaffRequest } from './staff-request.js';

/** Permissions that are needed together. */
type Needed = readonly Permission[];

type Targets = Parameters<Reflector['getAllAndOverride']>[1];

const ROUTE_PERMISSIONS = 'permissions of the route';

/**
 * The permissions of a route, or of all routes of a controller that name none themselves. Any of several sets is enough.
 *
 * @example
 * @Permit(['delivery:act'], ['delivery:read', 'orders:act'])
 */
export const Permit = (...sets: readonly Needed[]) =>
  applyDecorators(SetMetadata(ROUTE_PERMISSIONS, sets), ApiExtension('x-permissions', sets));

/** A controller for staff: people by their session, programs by their token. */
export const ForStaff = (...sets: readonly Needed[]) =>
  applyDecorators(
    Permit(...sets),
    UseGuards(PermissionGuard),
    UseInterceptors(IdempotencyInterceptor, AuditInterceptor),
    ApiBearerAuth('staff'),
    ApiCookieAuth('session'),
    ApiErrors(40100, 40300, 40310, 40311),
  );

/** Admits callers with the permissions of the route. A route without permissions admits nobody. */
@Injectable()
class PermissionGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly reflector: Reflector,
    private readonly lookup: SellerLookup,
    private readonly freshProofs: FreshProofs,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StaffRequest>();
    const caller = await this.callers.of(request);
    if (!caller) throw HttpError.with(40100, undefined, { 'www-authenticate': 'Bearer' });
    const targets: Targets = [context.getHandler(), context.getClass()];
    const sets = this.reflector.getAllAndOverride<readonly Needed[] | undefined>(ROUTE_PERMISSIONS, targets) ?? [];
    if (!sets.some((needed) => needed.every((permission) => caller.permissions.includes(permission)))) {
      throw HttpError.with(40300, sets.map((needed) => needed.join(' and ')).join(', or '));
    }
    if (caller.sellers) await this.checkSeller(caller.sellers, request, targets);
    await this.freshProofs.check(caller, request, [this.reflector, targets]);
    request.caller = caller;
    return true;
  }

  private async checkSeller(own: readonly string[], request: StaffRequest, targets: Targets): Promise<void> {
    const scope = this.reflector.getAllAndOverride<SellerScopeKind | undefined>(SELLER_SCOPE, targets);
    if (scope === undefined) throw HttpError.with(40300, 'not for people who are limited to sellers');
    const [id] = Object.values(request.params as Record<string, string>);
    if (scope === 'shared' || id === undefined) return;
    if (scope === 'order') {
      const order = await this.lookup.ofOrder(id);
      if (!order || !seesOrder(own, order)) throw HttpError.notFound(scope);
      return;
    }
    const listing = await this.lookup.ofListing(id);
    // A listing that does not exist may be created.
    if (!listing && request.method === 'PUT') return;
    if (!listing || !seesSeller(own, listing.seller)) throw HttpError.notFound(scope);
  }
}
