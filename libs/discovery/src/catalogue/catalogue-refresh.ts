import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue.js';
import { Popularity } from '../popularity.js';

/** Brings what follows from sales and from the time up to date. */
@Injectable()
export class CatalogueRefresh {
  constructor(
    private readonly popularity: Popularity,
    private readonly catalogue: Catalogue,
  ) {}

  async refresh(): Promise<void> {
    await this.popularity.refresh();
    await this.catalogue.refreshUpcoming();
  }
}
