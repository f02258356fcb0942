import { z } from 'zod';

export const MANIFEST = 'manifest.json';
/** Folders of the archive: the files of the database server, and the other files of DATA_DIR. */
export const CLUSTER_FOLDER = 'postgres/';
export const FILES_FOLDER = 'files/';

/** The last entry of an archive. */
export const Manifest = z.object({
  format: z.literal('willcall-backup'),
  format_version: z.literal(1),
  made_at: z.iso.datetime(),
  postgres_version: z.string(),
  system_identifier: z.string(),
  files: z.record(z.string(), z.object({ size: z.int(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;

/** "18" of "18.4". */
export const majorOf = (version: string): string => /\d+/.exec(version)?.[0] ?? version;
