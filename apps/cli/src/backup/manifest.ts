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
  /** Under ENCRYPTION_KEY, over everything else. Absent in archives of earlier releases, and where there was no key. */
  hmac: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type Manifest = z.infer<typeof Manifest>;
export type UnsignedManifest = Omit<Manifest, 'hmac'>;

/** What the HMAC covers: with the digests of all files, the whole archive. */
export function signedText(manifest: Manifest): string {
  return JSON.stringify({ ...Manifest.parse(manifest), hmac: undefined });
}

/** Whether a file below DATA_DIR belongs into an archive: not the cluster, copies of its programs, uploads in hand or unfinished files. */
export const isKept = (name: string) =>
  !/^postgres([.-][^/]*)?(\/|$)|^secrets\.json\.\d+$|^files\/\.uploads\/|^files\/.*\.part$/i.test(name);

/** "18" of "18.4". */
export const majorOf = (version: string): string => /\d+/.exec(version)?.[0] ?? version;
