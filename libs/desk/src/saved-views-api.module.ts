import { Module } from '@nestjs/common';
import { SavedViewsModule } from './views/saved-views.module.js';
import { StaffModule } from '#accounts/staff.module';
import { SavedViewsController } from './views/saved-views.controller.js';

/** Saved searches, for staff. */
@Module({
  imports: [StaffModule, SavedViewsModule],
  controllers: [SavedViewsController],
})
export class SavedViewsApiModule {}
