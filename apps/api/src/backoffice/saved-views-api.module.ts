import { Module } from '@nestjs/common';
import { SavedViewsModule } from '#orders/desk/saved-views.module';
import { StaffModule } from '../people/staff.module.js';
import { SavedViewsController } from './saved-views.controller.js';

/** Saved searches, for staff. */
@Module({
  imports: [StaffModule, SavedViewsModule],
  controllers: [SavedViewsController],
})
export class SavedViewsApiModule {}
