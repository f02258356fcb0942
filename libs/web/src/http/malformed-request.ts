import type { Socket } from 'node:net';
import { type ErrorBody, errorEntry } from '../error-body.contract.js';
import { type ErrorCode, ERRORS } from '../errors.contract.js';
import { isLongUpload } from '../long-upload.js';

/** What Node says about a connection whose request it could not read. */
export type ClientError = Error & Readonly<{ code?: string }>;

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const CODES: Readonly<Record<string, ErrorCode>> = { HPE_HEADER_OVERFLOW: 43100, [TIMEOUT]: 40800 };

export const isTimeout = ({ code }: ClientError): boolean => code === TIMEOUT;

/** Input that is not HTTP never reaches a route. It still gets an Error body. */
export function refuseMalformed(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  // Node reports a time-out once per request. The request continues if nobody ends the connection.
  if (isTimeout(error) && isLongUpload(socket)) return;
  const code = CODES[error.code ?? ''] ?? 40000;
  const body = JSON.stringify(refusal(code));
  socket.end(
    `HTTP/1.1 ${ERRORS[code].status} ${ERRORS[code].message}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

export function refusal(code: ErrorCode, detail?: string): ErrorBody {
  return { errors: [errorEntry(code, detail)] };
}
