import { Module } from '@nestjs/common';
import { Settings } from '#base/settings';
import { FolderObjectStore } from './storage/folder-object-store.js';
import { ObjectStore } from './object-store.js';
import { S3Connection, s3OptionsOf } from './s3-connection.js';
import { S3ObjectStore } from './storage/s3-object-store.js';
import { UploadFolder } from './upload-folder.js';

@Module({
  providers: [
    { provide: ObjectStore, inject: [Settings], useFactory: objectStoreOf },
    { provide: UploadFolder, inject: [Settings], useFactory: ({ FILES_DIR }: Settings) => new UploadFolder(FILES_DIR) },
  ],
  exports: [ObjectStore, UploadFolder],
})
export class StorageModule {}

/** In the bucket of the settings, or else in their folder. */
export function objectStoreOf(settings: Settings): ObjectStore {
  const { S3_BUCKET: bucket, FILES_DIR } = settings;
  if (bucket === undefined) return new FolderObjectStore(FILES_DIR);
  return new S3ObjectStore(new S3Connection(s3OptionsOf(settings)), bucket);
}
