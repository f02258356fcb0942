import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import type { ErrorBody } from '#contracts/checkout/error-body';
import { discoveryError } from './discovery/discovery-error.js';
import { isDiscovery } from './http/discovery-path.js';
import { wantsPage } from './http/wants-page.js';
import { ErrorWriter, type FailedRequest, jsonError, type WrittenError } from './http/written-error.js';
import { errorPage } from './message-pages/error-page.js';

/** Only programs call these. They get JSON, whatever they accept. */
const FOR_PROGRAMS = /^\/(?:checkout|backoffice|stream)(?:[/?]|$)/i;

/** The discovery API has its own error format. Browsers get a page where a person may have come by a link; all others get JSON. */
@Injectable()
export class SurfaceErrors extends ErrorWriter {
  private readonly home: string;

  constructor(@Inject(Settings) { PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>) {
    super();
    this.home = new URL(PUBLIC_URL).pathname.replace(/\/?$/, '/');
  }

  write(request: FailedRequest, status: number, errors: ErrorBody): WrittenError {
    const { url = '' } = request;
    if (isDiscovery(url)) return discoveryError(request, status, errors);
    const page = !FOR_PROGRAMS.test(url) && wantsPage(request) ? errorPage(url, status, this.home) : undefined;
    return page ?? jsonError(errors);
  }
}
