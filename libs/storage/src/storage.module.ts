import { Module } from '@nestjs/common';
import { Settings } from '#config/settings';
import { FolderObjectStore } from './folder-object-store.js';
import { ObjectStore } from './object-store.js';
import { S3ObjectStore } from './s3-object-store.js';

@Module({
  providers: [{ provide: ObjectStore, inject: [Settings], useFactory: objectStoreOf }],
  exports: [ObjectStore],
})
export class StorageModule {}

/** In the bucket of the settings, or else in their folder. */
export function objectStoreOf(settings: Settings): ObjectStore {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint, FILES_DIR } = settings;
  if (bucket === undefined) return new FolderObjectStore(FILES_DIR);
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials =
    accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined;
  return new S3ObjectStore({ bucket, region, endpoint, credentials });
}
