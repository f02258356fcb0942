import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForStaff } from '#accounts/permission.guard';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { MailTemplateList } from '../mail-template.contract.js';
import { MailSamples } from './mail-samples.js';

// Mails have their styles in their tags. They run nothing and load nothing.
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors 'self'";

/** What the e-mails to buyers and staff look like. */
@ApiTags('back office: e-mail')
@Controller('backoffice/v1/mail-templates')
@ForStaff(['admin'])
export class MailTemplatesController {
  constructor(private readonly samples: MailSamples) {}

  @Get()
  @ApiOperation({
    operationId: 'listMailTemplates',
    summary: 'Every e-mail to buyers and staff as it would go out, with invented data',
  })
  @ApiOkResponse({ standardSchema: MailTemplateList })
  @ApiErrors(40100)
  list(): MailTemplateList {
    return { templates: this.samples.all() };
  }

  @Get(':id/page')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', MAIL_POLICY)
  @Header('x-frame-options', 'SAMEORIGIN')
  @ApiOperation({ operationId: 'showMailTemplate', summary: 'The page of such an e-mail, to be shown in a frame' })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  @ApiErrors(40100, 40400)
  page(@Param('id') asked: string): string {
    return orNotFound(
      this.samples.all().find(({ id }) => id === asked),
      'template',
    ).html;
  }
}
