import { Module } from '@nestjs/common';
import { Settings } from '#base/settings';
import { CardDataPolicy } from './card-data-policy.js';
import { OrderRules } from './order-changes.js';
import { PurchaseDrafts } from './purchase-drafts.js';
import { loadStatusCatalogue } from './status-catalogue-file.js';
import { StatusCatalogues } from './status-catalogues.js';

const providers = [
  {
    provide: OrderRules,
    inject: [Settings],
    // Without a file, StatusCatalogues reads it from the database.
    useFactory: ({ STATUS_CATALOGUE_FILE: file }: Settings) =>
      new OrderRules(file === undefined ? undefined : loadStatusCatalogue(file)),
  },
  StatusCatalogues,
  CardDataPolicy,
  PurchaseDrafts,
];

/** The rules in use, and what a purchase becomes before anything is written. */
@Module({ providers, exports: providers })
export class OrderRulesModule {}
