import { Module } from '@nestjs/common';
import { DatabaseClock } from '#database/database-clock';
import { errorLog } from '#platform/error-log';
import { Metrics } from '#platform/metrics';
import { ClientsModule } from '#accounts/clients.module';
import { Randomness } from '#base/randomness';
import { PingDelivery } from './pings/ping-delivery.js';
import { PingLedger } from './pings/ping-ledger.js';
import { PingRateLimiter } from './pings/ping-rate-limiter.js';
import { PingScheduler } from './ping-scheduler.js';
import { PingSender } from './pings/ping-sender.js';
import { PingSettings } from './pings/ping-settings.js';
import { ClientSecretSigner, PingSigner } from './pings/ping-signer.js';
import { PingSweep } from './pings/ping-sweep.js';
import { PingsModule } from './pings.module.js';
import { type PlatformBreakerDependencies, PlatformCircuitBreaker } from './pings/platform-circuit-breaker.js';
import { PlatformRecord } from './pings/platform-record.js';

type BreakerParts = [PingSender, PlatformRecord, DatabaseClock, Randomness, PingSettings, PingRateLimiter];

const circuitBreaker = {
  provide: PlatformCircuitBreaker,
  inject: [PingSender, PlatformRecord, DatabaseClock, Randomness, PingSettings, PingRateLimiter],
  useFactory: (...[sender, record, clock, randomness, settings, rateLimiter]: BreakerParts) => {
    const dependencies: PlatformBreakerDependencies = { sender, record, clock, randomness, onError: errorLog('pings') };
    return new PlatformCircuitBreaker(dependencies, settings, rateLimiter);
  },
};

type DeliveryParts = [PingLedger, PlatformCircuitBreaker, DatabaseClock, Randomness, PingSettings, Metrics];

const delivery = {
  provide: PingDelivery,
  inject: [PingLedger, PlatformCircuitBreaker, DatabaseClock, Randomness, PingSettings, Metrics],
  useFactory: (...[ledger, platform, clock, randomness, { firstMs, maxMs, forMs }, metrics]: DeliveryParts) => {
    const onAttempt = (outcome: string) => metrics.pingAttempts.inc({ outcome });
    return new PingDelivery(ledger, platform, clock, randomness, { firstMs, maxMs, forMs, onAttempt });
  },
};

@Module({
  imports: [ClientsModule, PingsModule],
  providers: [
    PingSettings,
    PingScheduler,
    PingSweep,
    PingSender,
    { provide: PingSigner, useClass: ClientSecretSigner },
    PingLedger,
    PlatformRecord,
    PingRateLimiter,
    circuitBreaker,
    delivery,
  ],
  exports: [PingScheduler],
})
export class PingDeliveryModule {}
