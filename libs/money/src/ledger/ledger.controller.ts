import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForStaff } from '#accounts/permission.guard';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { HttpError } from '#web/http-error';
import { LedgerAccounts, LedgerAccountsQuery, LedgerEntries, LedgerEntriesQuery } from '../ledger.contract.js';
import { FilledLedger } from './filled-ledger.js';
import { LedgerBalances } from './ledger-balances.js';
import { type EntryPlace, LedgerList } from './ledger-list.js';

@ApiTags('back office: money')
@Controller('backoffice/v1/ledger')
@ForStaff(['money:read'])
export class LedgerController {
  constructor(
    private readonly filled: FilledLedger,
    private readonly balances: LedgerBalances,
    private readonly list: LedgerList,
  ) {}

  @Get('accounts')
  @ApiOperation({ operationId: 'listLedgerAccounts', summary: 'The balance of each account, now or at any time' })
  @ApiOkResponse({ standardSchema: LedgerAccounts })
  @ApiErrors(40001, 40100, 50300)
  async accounts(@Query({ schema: LedgerAccountsQuery }) query: LedgerAccountsQuery): Promise<LedgerAccounts> {
    await this.filled.check();
    return await this.balances.read(query);
  }

  @Get('entries')
  @ApiOperation({ operationId: 'listLedgerEntries', summary: 'The entries of the ledger, newest first' })
  @ApiOkResponse({ standardSchema: LedgerEntries })
  @ApiErrors(40001, 40100, 50300)
  async entries(
    @Query({ schema: LedgerEntriesQuery }) { limit, cursor, ...filter }: LedgerEntriesQuery,
  ): Promise<LedgerEntries> {
    if (filter.from !== undefined && filter.to !== undefined && filter.from >= filter.to) {
      throw HttpError.with(40001, 'to: must be later than from');
    }
    await this.filled.check();
    const found = await this.list.read(filter, { limit: limit + 1, after: readCursor(cursor, placeOf) });
    const { page, next_cursor } = cursorPage(found, limit, ({ place }) => `${place.position}.${place.number}`);
    return { entries: page.map(({ entry }) => entry), next_cursor };
  }
}

function placeOf(text: string): EntryPlace | undefined {
  const [, position, number] = /^([1-9]\d{0,14})\.(\d{1,3})$/.exec(text) ?? [];
  return position === undefined ? undefined : { position: Number(position), number: Number(number) };
}
