import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PERMISSIONS, ROLE_PERMISSIONS, RoleTable, ROLES } from '../permission.contract.js';
import { ForStaff } from '../permission.guard.js';

@ApiTags('back office: operators')
@Controller('backoffice/v1/roles')
@ForStaff(['admin'])
export class RolesController {
  @Get()
  @ApiOperation({ operationId: 'listRoles', summary: 'What each role may do' })
  @ApiOkResponse({ standardSchema: RoleTable })
  list(): RoleTable {
    return {
      permissions: [...PERMISSIONS],
      roles: ROLES.map((name) => ({ name, permissions: [...ROLE_PERMISSIONS[name]] })),
    };
  }
}
