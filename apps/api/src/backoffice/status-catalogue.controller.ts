import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { StatusCatalogueView } from '#contracts/backoffice/status-catalogue';
import { STATUS_ROLES, type StatusCatalogue } from '#domain/order/status-catalogue';
import { STATUS_VALUES } from '#domain/status';
import { OrderRules } from '#orders/commands/order-changes';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/status-catalogue')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class StatusCatalogueController {
  constructor(private readonly rules: OrderRules) {}

  @Get()
  @ApiOperation({ operationId: 'getStatusCatalogue', summary: 'The statuses in use, and which may follow which' })
  @ApiOkResponse({ standardSchema: StatusCatalogueView })
  read(): StatusCatalogueView {
    return viewOf(this.rules.catalogue);
  }
}

function viewOf(catalogue: StatusCatalogue): StatusCatalogueView {
  const following = (from: (typeof STATUS_VALUES)[number]) => STATUS_VALUES.filter((to) => catalogue.allows(from, to));
  return {
    version: catalogue.version,
    statuses: catalogue.entries.map(({ status, event, label }) => {
      const roles = STATUS_ROLES.filter((role) => catalogue.role(role).status.status_code === status.status_code);
      return { ...status, label, event, roles };
    }),
    transitions: {
      pending: following('pending'),
      confirmed: following('confirmed'),
      rejected: following('rejected'),
      exception: following('exception'),
    },
  };
}
