import { domainError } from '#domain/domain-error';
import type { TicketFileType } from '#domain/order/order-events';
import { agrees, type FileClaims, hasPictureSize, sniffedType } from './file-type.js';
import { passIssue } from './pass-archive.js';
import type { SpooledFile } from './spooled-file.js';

/** The type of an uploaded file by its content. @throws DomainError if it is no ticket, or not what its sender says */
export async function checkedType(file: SpooledFile, claims: FileClaims): Promise<TicketFileType> {
  const type = sniffedType(file);
  if (type === undefined) throw refused('a file must be a whole PDF, PNG, JPEG or pkpass');
  if (!agrees(type, claims)) throw refused(`a file is ${type}, but its name or media type says something else`);
  if (!hasPictureSize(type, file.head)) throw refused('a picture is too large, or broken');
  const issue = type === 'application/vnd.apple.pkpass' ? await passIssue(file) : undefined;
  if (issue !== undefined) throw refused(`a pkpass ${issue}`);
  return type;
}

const refused = (message: string) => domainError('FILE_REFUSED', message);
