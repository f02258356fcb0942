import { domainError } from '#domain/domain-error';
import type { TicketFileType } from '#domain/order-events';
import { agrees, type FileClaims, sniffedType } from './file-type.js';
import { passIssue } from './pass-archive.js';
import { pdfIssue } from './pdf-file.js';
import { jpegIssue, pngIssue } from './picture-file.js';
import type { SpooledFile } from './spooled-file.js';

/** The type of an uploaded file by its content. @throws DomainError if it is no ticket, or not what its sender says */
export async function checkedType(file: SpooledFile, claims: FileClaims): Promise<TicketFileType> {
  const type = sniffedType(file);
  if (type === undefined) throw refused('a file must be a whole PDF, PNG, JPEG or pkpass');
  if (!agrees(type, claims)) throw refused(`a file is ${type}, but its name or media type says something else`);
  const issue = await ISSUE_OF[type](file);
  if (issue !== undefined) throw refused(`a ${WORDS[type]} ${issue}`);
  return type;
}

const refused = (message: string) => domainError('FILE_REFUSED', message);

/** What is wrong inside of a file. */
const ISSUE_OF: Readonly<Record<TicketFileType, (file: SpooledFile) => Promise<string | undefined>>> = {
  'application/pdf': pdfIssue,
  'image/png': pngIssue,
  'image/jpeg': jpegIssue,
  'application/vnd.apple.pkpass': passIssue,
};

const WORDS: Readonly<Record<TicketFileType, string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'application/vnd.apple.pkpass': 'pkpass',
};
