import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Settings } from '#base/settings';
import { AddedOperator, NewOperator, Operator, OperatorChange, OperatorList } from '../operator.contract.js';
import type { Caller } from '../caller.js';
import { type OperatorError, Operators } from '../operators.js';
import { PasswordChanges } from './password-changes.js';
import { ApiErrors } from '#web/api-errors';
import { addressKey } from '#web/client-address';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit } from '../audited.js';
import { FreshProof, unlessOwnName } from '../fresh-proof.js';
import { ForStaff, Permit } from '../permission.guard.js';
import { shownOperator } from './shown-operator.js';
import { SellerScope } from '../seller-scope.js';
import { knownBrowserIn } from './session-cookie.js';
import { StaffCaller, type StaffRequest } from '../staff-request.js';

/** Maps each reason for not changing an operator to its error. A new reason without an error does not compile. */
const ANSWERS: Readonly<Record<OperatorError, () => HttpError>> = {
  EMAIL_TAKEN: () => HttpError.with(40902, 'another operator has this e-mail address'),
  OPERATOR_UNKNOWN: () => HttpError.notFound('operator'),
  LAST_ADMINISTRATOR: () => HttpError.with(40902, 'this is the last active administrator'),
};

@ApiTags('back office: operators')
@Controller('backoffice/v1/operators')
@ForStaff(['admin'])
export class OperatorsController {
  constructor(
    private readonly operators: Operators,
    private readonly passwords: PasswordChanges,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listOperators', summary: 'The people of the back office, by name' })
  @ApiOkResponse({ standardSchema: OperatorList })
  @ApiErrors(40100)
  async list(): Promise<OperatorList> {
    return { operators: (await this.operators.list()).map(shownOperator) };
  }

  @Post()
  @FreshProof()
  @Audit('operator.created', 'operator')
  @ApiOperation({
    operationId: 'createOperator',
    summary: 'Add a person, with a password or an invitation to choose one',
  })
  @ApiCreatedResponse({ standardSchema: AddedOperator })
  @ApiErrors(40000, 40001, 40100, 40112, 40902)
  async add(
    @Body({ schema: NewOperator }) { password, ...fields }: NewOperator,
    @StaffCaller() { actor }: Caller,
  ): Promise<AddedOperator> {
    const hash = password === undefined ? undefined : await this.passwords.hash(password);
    const added = await this.operators.add(fields, hash, actor);
    if (typeof added === 'string') throw ANSWERS[added]();
    // Browsers do not send what follows the #, so the token appears in no log.
    const invited = added.invitation && { invite_url: `${this.settings.PUBLIC_URL}/invitation#${added.invitation}` };
    return { ...shownOperator(added.operator), ...invited };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getOperator', summary: 'One person of the back office' })
  @ApiOkResponse({ standardSchema: Operator })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string): Promise<Operator> {
    return shownOperator(orNotFound(await this.operators.find(id), 'operator'));
  }

  /** Operators may change their own name and password. Everything else needs the permission `admin`. */
  @Patch(':id')
  @Permit([])
  @SellerScope('shared')
  @FreshProof(unlessOwnName)
  @Audit('operator.changed', 'operator')
  @ApiOperation({
    operationId: 'changeOperator',
    summary: 'Change a person; a new password ends the other sessions of that person',
  })
  @ApiOkResponse({ standardSchema: Operator })
  @ApiErrors(40000, 40001, 40100, 40112, 40400, 40902, 42900)
  async change(
    @Param('id') id: string,
    @Body({ schema: OperatorChange }) { password, current_password: current, ...fields }: OperatorChange,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<Operator> {
    const isSelf = caller.actor === `operator:${id}`;
    const onlyOwn = Object.keys(fields).every((field) => field === 'name');
    if (!caller.permissions.includes('admin') && !(isSelf && onlyOwn)) throw HttpError.with(40300, 'admin');
    if (password !== undefined && isSelf) await this.checkCurrent(id, current, request);
    // First, because it is refused while too many wait, and nothing must be changed then.
    const hash = password === undefined ? undefined : await this.passwords.hash(password);
    const changed = await this.operators.change(id, fields, caller);
    if (typeof changed === 'string') throw ANSWERS[changed]();
    if (hash !== undefined) await this.passwords.set(id, hash, caller);
    return shownOperator(changed);
  }

  @Delete(':id')
  @HttpCode(204)
  @FreshProof()
  @Audit('operator.removed', 'operator')
  @ApiOperation({ operationId: 'removeOperator', summary: 'Remove a person; history keeps the name' })
  @ApiNoContentResponse({ description: 'The person is removed, and signed out everywhere.' })
  @ApiErrors(40100, 40112, 40400, 40902)
  async remove(@Param('id') id: string): Promise<void> {
    const error = await this.operators.remove(id);
    if (error !== undefined) throw ANSWERS[error]();
  }

  private async checkCurrent(id: string, current: string | undefined, request: StaffRequest): Promise<void> {
    const checked = await this.passwords.isCurrent(id, current ?? '', {
      address: addressKey(request.ip),
      browserNote: knownBrowserIn(request),
    });
    if (typeof checked === 'object') throw HttpError.tooMany(checked);
    if (!checked) throw HttpError.with(40001, 'current_password');
  }
}
