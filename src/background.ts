// Connects what moves the clocks of all worlds with what sends webhooks and ticks: each wakes the other.
import type { RunTask } from './engine/run-task.ts';
import type { SandboxContext } from './engine/sandbox-context.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { RUN_ELSEWHERE } from './store/store.ts';
import { StoreAway } from './store/store-away.ts';
import { Deliverer, type DelivererOptions } from './webhooks/deliver.ts';
import { OpenWork } from './webhooks/open-work.ts';
import { ReceiverSlots } from './webhooks/receiver.ts';
import { sendTicks } from './webhooks/send-ticks.ts';

type Parts = Pick<SandboxContext, 'store' | 'work' | 'turns' | 'metrics' | 'log'> & Pick<DelivererOptions, 'poster'>;

export function createBackground(
  parts: Parts,
  runTask: RunTask,
): Pick<SandboxContext, 'scheduler' | 'deliverer' | 'openWork'> {
  const { metrics, log } = parts;
  const openWork = new OpenWork();
  const slots = new ReceiverSlots();
  sendTicks({ ...parts, openWork, slots });
  const deliverer = new Deliverer({
    ...parts,
    poster: metrics.counting(parts.poster),
    openWork,
    slots,
    play: (world) => scheduler.runUntilIdle(world),
  });
  giveUpOldEpochs(parts);
  const scheduler: Scheduler = new Scheduler({
    ...parts,
    runTask,
    deliveriesIdle: (world, epoch, signal) => (parts.work.shared ?? openWork).whenIdle(world, epoch, signal),
    onError(error, world) {
      // That the store is away is logged once, not for each world; its tasks run later.
      if (!(error instanceof StoreAway)) log.error({ err: error, world }, 'a scheduled task failed');
    },
  });
  return { openWork, deliverer, scheduler };
}

/**
 * Nobody waits for what is being sent when its world is reset or deleted. A receiver that never answers, or a name that no
 * server knows, would keep it until its time is over, and a world can be reset any number of times meanwhile.
 */
function giveUpOldEpochs({ work, poster, turns, log }: Parts): void {
  work.onCommit(({ world, epoch }) => {
    // What this process is sending is recorded by it all the same.
    if (epoch === RUN_ELSEWHERE) return;
    const givingUp = poster.giveUpOthers({ world, epoch });
    if (!givingUp) return;
    turns.workThrough(world, givingUp).catch((error) => {
      log.error({ err: error, world }, 'deliveries in flight could not be given up');
    });
  });
}
