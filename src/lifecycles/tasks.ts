// What can be scheduled: a trigger of one record's lifecycle, or work that needs more than the record. Each task is
// plain data about one record, and is canceled with it.
import type { Subject } from '../model.ts';
import type { InputOf, LifecycleTable, TriggerOf } from './triggers.ts';

/** A trigger of one record's lifecycle, with its input. */
export type Fire<Table extends LifecycleTable = LifecycleTable> = {
  [T in Table]: {
    [Trigger in TriggerOf<T>]: {
      readonly type: 'fire';
      readonly subject: Subject<T>;
      readonly trigger: Trigger;
      readonly input: InputOf<T, Trigger>;
    };
  }[TriggerOf<T>];
}[Table];

interface Tasks {
  fire: Fire;
  /** A job calls the next contacts on its list. */
  call_next_contact: { readonly type: 'call_next_contact'; readonly subject: Subject<'jobs'> };
  /** The recipient of a message replies. */
  receive_reply: { readonly type: 'receive_reply'; readonly subject: Subject<'messages'>; readonly text: string };
  /** The world's clock ticks for a scheduler of the customer's. */
  tick: { readonly type: 'tick'; readonly subject: Subject<'ticks'> };
  /** The numbers of a remediation get the outcomes that their reputation gives them. */
  assess_remediation: { readonly type: 'assess_remediation'; readonly subject: Subject<'remediations'> };
  /** A delivery that was held, or has failed, is sent. */
  send_delivery: { readonly type: 'send_delivery'; readonly subject: Subject<'waiting_deliveries'> };
  /** What is left of a change of delivery plans is done: other deliveries are held, or sent. */
  follow_plans: { readonly type: 'follow_plans'; readonly subject: Subject<'waiting_deliveries'> };
  /** What is left to be sent for a subscription that was deleted is canceled. */
  cancel_deliveries: { readonly type: 'cancel_deliveries'; readonly subject: Subject<'subscriptions'> };
}

export type TaskType = keyof Tasks;
export type Task<Type extends TaskType = TaskType> = { [T in Type]: Tasks[T] }[Type];

/** Whether a task may have nothing to do but to look, and to be scheduled again. */
export const isLooking = ({ type }: Task): boolean => type === 'call_next_contact';

/** A task and when it runs, in milliseconds of the world's time. */
export interface ScheduledTask {
  readonly at: number;
  /** Breaks ties: tasks of one instant run in the order in which they were scheduled. */
  readonly order: number;
  readonly task: Task;
  /** The journal entry that scheduled it. */
  readonly cause: string | null;
}
