import { z } from 'zod';

export const MANIFEST = 'manifest.json';
/** Where the archive has the files of the database server, and those of DATA_DIR beside it. */
export const CLUSTER_FOLDER = 'postgres/';
export const FILES_FOLDER = 'files/';

/** What an archive says about itself, in its last entry. */
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
