import { Module } from '@nestjs/common';
import { BoughtTogether } from './bought-together.js';
import { CatalogueRefresh } from './catalogue/catalogue-refresh.js';
import { Catalogue } from './catalogue.js';
import { Popularity } from './popularity.js';
import { PostalCodes } from './postal-codes.js';
import { StockStats } from './stock-stats.js';

const providers = [Catalogue, PostalCodes, StockStats, Popularity, CatalogueRefresh, BoughtTogether];

/** The write model of events, performers and venues. */
@Module({ providers, exports: providers })
export class CatalogueModule {}
