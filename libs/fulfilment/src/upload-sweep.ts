import { Injectable } from '@nestjs/common';
import { Clock } from '#base/clock';
import { UploadFolder } from '#platform/upload-folder';

/** Removes what processes that were killed have left of their uploads. Nobody can read it: its key was in their memory. */
@Injectable()
export class UploadSweep {
  private isFirst = true;

  constructor(
    private readonly uploads: UploadFolder,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    await this.uploads.sweep(this.clock.now());
    if (this.isFirst) await this.uploads.sweepParts(this.clock.now());
    this.isFirst = false;
  }
}
