import { Module } from '@nestjs/common';
import { SavedViews } from './saved-views.js';

@Module({ providers: [SavedViews], exports: [SavedViews] })
export class SavedViewsModule {}
