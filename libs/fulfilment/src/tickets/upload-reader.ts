import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Settings } from '#base/settings';
import { TicketBarcode, TicketSeat } from '../ticket.contract.js';
import { domainError } from '#domain/domain-error';
import type { TicketFileType } from '#domain/order-events';
import { checkedType } from './checked-file.js';
import { FileScanner } from './file-scanner.js';
import { fileNameIssue } from './file-type.js';
import { type SpooledFile, spooled } from './spooled-file.js';
import type { NewTicket } from './ticket-upload.js';
import { Randomness } from '#base/randomness';
import { StorageError } from '#platform/object-store';
import { UploadFolder } from '#platform/upload-folder';
import { HttpError } from '#web/http-error';
import { uploadOf, withLongUpload } from '#web/long-upload';
import { type FilePart, type Multipart, type MultipartLimits, readMultipart } from './multipart.js';

const MOST_FILES = 10;
const MOST_FILES_OF_FULL_SIZE = 5;
const FIELD_BYTES = 1_024;
/** Boundaries and headers of the parts. */
const OVERHEAD_BYTES = 64 * 1024;

/** Receives files of tickets into a folder, checks them, and removes the folder after the work. */
@Injectable()
export class UploadReader {
  constructor(
    private readonly settings: Settings,
    private readonly uploads: UploadFolder,
    private readonly randomness: Randomness,
    private readonly scanner: FileScanner,
  ) {}

  /** The files of tickets with their barcodes and seats. @throws HttpError, DomainError, StorageError */
  async read<T>(request: FastifyRequest, work: (tickets: readonly NewTicket[]) => Promise<T>): Promise<T> {
    const limits = { files: MOST_FILES, fields: 2 * MOST_FILES, fieldBytes: FIELD_BYTES };
    return await this.received(request, limits, (upload) => work(ticketsOf(upload)));
  }

  /** One file alone. @throws HttpError, DomainError, StorageError */
  async readOne<T>(request: FastifyRequest, work: (file: UploadedFile) => Promise<T>): Promise<T> {
    const limits = { files: 1, fields: 0, fieldBytes: FIELD_BYTES };
    return await this.received(request, limits, ({ files: [file] }) => {
      if (!file) throw HttpError.with(40001, 'a file is needed');
      return work(file);
    });
  }

  private async received<T>(
    request: FastifyRequest,
    limits: MultipartLimits,
    work: (upload: Multipart<UploadedFile>) => Promise<T>,
  ): Promise<T> {
    const mediaType = request.headers['content-type'] ?? '';
    if (!/^multipart\/form-data(?:;|$)/i.test(mediaType)) throw HttpError.with(41500, 'multipart/form-data');
    const own = await StorageError.within(() => this.uploads.make());
    try {
      const upload = await withLongUpload(request, () => this.receive(request, own, limits));
      return await work(upload);
    } finally {
      await this.uploads.remove(own);
    }
  }

  private async receive(
    request: FastifyRequest,
    folder: string,
    limits: MultipartLimits,
  ): Promise<Multipart<UploadedFile>> {
    const most = this.settings.TICKET_MAX_BYTES;
    let left = most * Math.min(limits.files, MOST_FILES_OF_FULL_SIZE);
    if (Number(request.headers['content-length'] ?? 0) > left + OVERHEAD_BYTES) throw HttpError.with(41300);
    let count = 0;
    return await readMultipart(
      request.headers,
      uploadOf(request),
      limits,
      async ({ name, mediaType, content }: FilePart) => {
        const issue = fileNameIssue(name);
        if (issue !== undefined) throw HttpError.with(40001, `the name of a file ${issue}`);
        count += 1;
        const path = join(folder, String(count));
        const file = await spooled(content as AsyncIterable<Buffer>, path, Math.min(most, left), this.randomness);
        left -= file.size;
        const type = await checkedType(file, { name, mediaType });
        await this.scanner.scan(file);
        return { name, file, type };
      },
    );
  }
}

/** A file whose content was checked. */
export type UploadedFile = Readonly<{ name: string; type: TicketFileType; file: SpooledFile }>;

/** @throws HttpError, DomainError */
function ticketsOf({ files, fields }: Multipart<UploadedFile>): readonly NewTicket[] {
  if (files.length === 0) throw HttpError.with(40001, 'a file is needed');
  const known = ['barcode', 'seat'];
  const unknown = [...fields.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw HttpError.with(40001, `the fields are ${known.join(' and ')}`);
  const barcodes = valuesOf(fields.get('barcode'), 'barcode', files.length, TicketBarcode);
  const seats = valuesOf(fields.get('seat'), 'seat', files.length, TicketSeat);
  const given = barcodes.filter((barcode) => barcode !== null).map((barcode) => barcode.replaceAll(/\s/g, ''));
  if (new Set(given).size < given.length) throw domainError('CONFLICT', 'Two files have the same barcode.');
  return files.map((file, at) => ({ ...file, barcode: barcodes[at] ?? null, seat: seats[at] ?? null }));
}

/** One for each file, in their order. An empty one stands for none. @throws HttpError naming the field */
function valuesOf(
  given: readonly string[] = [],
  field: string,
  files: number,
  schema: z.ZodType<string>,
): (string | null)[] {
  if (given.length > 0 && given.length !== files) {
    throw HttpError.with(40001, `${field} must be there once for each file, in the same order, or not at all`);
  }
  return given.map((value) => {
    if (value.trim() === '') return null;
    const { data, error } = schema.safeParse(value);
    if (error) throw HttpError.with(40001, `${field} ${error.issues[0]?.message ?? ''}`);
    return data ?? null;
  });
}
