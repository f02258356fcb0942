import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { type ErrorBody, errorsForStaff } from '#web/error-body.contract';
import { discoveryError } from '#discovery/discovery-error';
import { isDiscovery } from '#web/discovery-path';
import { wantsPage } from '#web/wants-page';
import { ErrorWriter, type FailedRequest, jsonError, type WrittenError } from '#web/written-error';
import { errorPage } from '#web/error-page';

/** Only programs call these. They get JSON, whatever they accept. */
const FOR_PROGRAMS = /^\/(?:checkout|backoffice|stream)(?:[/?]|$)/i;

const FOR_STAFF = /^\/backoffice(?:[/?]|$)/i;

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
    if (FOR_STAFF.test(url)) return jsonError(errorsForStaff(errors));
    const page =
      !FOR_PROGRAMS.test(url) && wantsPage(request) ? errorPage(url, status, this.home, detailOf(errors)) : undefined;
    return page ?? jsonError(errors);
  }
}

/** What an error says besides the words of its code. */
function detailOf({ errors: [first] }: ErrorBody): string {
  return first?.message.replace(/^[^:]*: /, '') ?? '';
}
