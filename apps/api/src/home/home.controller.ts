import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Settings } from '#base/settings';
import { CONTENT_SECURITY_POLICY, homePage } from './home-page.js';

@ApiTags('operations')
@Controller('about')
export class HomeController {
  private readonly text: string;

  constructor(@Inject(Settings) settings: Settings) {
    this.text = homePage(settings);
  }

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  @Header('referrer-policy', 'no-referrer')
  @ApiOperation({ operationId: 'showStartPage', summary: 'A page with links to all surfaces' })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  page(): string {
    return this.text;
  }
}
