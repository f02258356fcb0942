import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { storedCondition } from '#orders/order-condition.contract';
import { SavedView, SavedViewBody, SavedViewList, SavedViewReplacement } from '../saved-view.contract.js';
import { type NewSavedView, SavedViews, type StoredView, type ViewQuestion } from './saved-views.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { refusalOf } from '#orders/staff-remarks';

@ApiTags('back office: orders')
@Controller('backoffice/v1/views')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class SavedViewsController {
  constructor(private readonly views: SavedViews) {}

  @Get()
  @ApiOperation({ operationId: 'listViews', summary: 'Your saved searches and the shared ones, by name' })
  @ApiOkResponse({ standardSchema: SavedViewList })
  @ApiErrors(40100)
  async list(@StaffCaller() caller: Caller): Promise<SavedViewList> {
    const views = await this.views.visibleTo(caller.actor);
    return { views: views.filter((view) => mayRead(caller, view)).map(shown) };
  }

  @Post()
  @Audit('view.created', 'view')
  @ApiOperation({ operationId: 'createView', summary: 'Save a search' })
  @ApiCreatedResponse({ standardSchema: SavedView })
  @ApiErrors(40000, 40001, 40100)
  async add(@Body({ schema: SavedViewBody }) body: SavedViewBody, @StaffCaller() caller: Caller): Promise<SavedView> {
    return shown(await this.views.add(viewOf(body, caller), caller.actor));
  }

  @Put(':id')
  @Audit('view.changed', 'view')
  @ApiOperation({ operationId: 'replaceView', summary: 'Replace a saved search of your own' })
  @ApiOkResponse({ standardSchema: SavedView })
  @ApiErrors(40000, 40001, 40100, 40400)
  async replace(
    @Param('id') id: string,
    @Body({ schema: SavedViewReplacement }) { id: _id, owner: _owner, ...body }: SavedViewReplacement,
    @StaffCaller() caller: Caller,
  ): Promise<SavedView> {
    const view = viewOf(body, caller);
    const { owner } = await this.own(id, caller);
    await this.views.replace(id, view);
    return shown({ ...view, id, owner });
  }

  @Delete(':id')
  @HttpCode(204)
  @Audit('view.removed', 'view')
  @ApiOperation({ operationId: 'removeView', summary: 'Remove a saved search of your own' })
  @ApiNoContentResponse({ description: 'It is removed.' })
  @ApiErrors(40100, 40400)
  async remove(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<void> {
    await this.own(id, caller);
    await this.views.remove(id);
  }

  /** Administrators may also change shared views of others, e.g. of somebody who has left. */
  private async own(id: string, caller: Caller): Promise<StoredView> {
    const { actor, permissions } = caller;
    const view = orNotFound(await this.views.find(id, actor), 'view');
    if (isForStaff(view, caller)) throw HttpError.notFound('view');
    if (view.owner !== actor && !permissions.includes('admin'))
      throw HttpError.with(40300, 'the view of somebody else');
    return view;
  }
}

function viewOf({ where, q, query, ...body }: SavedViewBody, caller: Caller): NewSavedView {
  const view = { ...body, where: where ?? null, q: q ?? null, query: query ?? null };
  const refusal = refusalOfView(view, caller);
  if (refusal !== undefined) throw HttpError.with(40300, refusal);
  return view;
}

function refusalOfView({ where }: ViewQuestion, caller: Caller): string | undefined {
  return where === null ? undefined : refusalOf(storedCondition(where), caller);
}

/** Staff share a view with colleagues: its question may name a buyer, or what a broker is not told. */
function isForStaff({ owner }: StoredView, { sellers, actor }: Caller): boolean {
  return sellers !== null && owner !== actor;
}

/** Only people who may ask what a view asks may use it. */
function mayRead(caller: Caller, view: StoredView): boolean {
  return !isForStaff(view, caller) && refusalOfView(view, caller) === undefined;
}

function shown({ where, columns, ...view }: StoredView): SavedView {
  return { ...view, where: where && { ...where }, columns: [...columns] };
}
