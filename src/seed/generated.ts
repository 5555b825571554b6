// Weeks in the life of an organization, made from the seed: who its contacts are, when they call and are called, what
// is said, what is booked. Hours and weekdays are those of the business before the world's start. Everything hangs
// together: an appointment was booked on a call that is there, by a contact that is there, and is reminded of.
//
// People come from faker, which is loaded when a fixture first asks for it. They have numbers 555-0170 to 0189 and
// addresses at example.com.
import type { Faker } from '@faker-js/faker';
import { instantsOf, localTimesOf } from '../clock/local-time.ts';
import type { TranscriptLine } from '../model.ts';
import { englishFaker } from '../packages.ts';
import { conversations, type Topic } from './conversations.ts';
import { type FixtureFile, PEOPLE_PER_AREA_CODE } from './fixture-file.ts';

type Generated = Pick<FixtureFile, 'calls' | 'contacts' | 'appointments'>;
type Settings = NonNullable<FixtureFile['generated']>;
type Call = FixtureFile['calls'][number];
type Outcome = Call['outcome'];
type Agent = FixtureFile['agents'][number];
type Service = Settings['services'][number];
type Subject = keyof typeof conversations;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How much of an ordinary day's calls a day sees, from Sunday on. */
const weekdayShare = [0.12, 1.15, 1.05, 1, 1, 0.9, 0.4] as const;

/** How many calls begin in an hour, relative to the others. */
const inboundHours = {
  7: 2,
  8: 7,
  9: 10,
  10: 11,
  11: 9,
  12: 5,
  13: 7,
  14: 8,
  15: 8,
  16: 7,
  17: 5,
  18: 3,
  19: 2,
  20: 1,
};
const outboundHours = { 9: 8, 10: 10, 11: 9, 13: 6, 14: 8, 15: 9, 16: 8, 17: 5 };

/** How calls end, relative to one another: those that come in, those that are expected, those that are not. */
const inboundOutcomes: Weights = { answered: 94, canceled: 6 };
const expectedOutcomes: Weights = { answered: 60, voicemail: 22, no_answer: 10, busy: 4, call_declined: 4 };
const coldOutcomes: Weights = {
  answered: 42,
  voicemail: 29,
  no_answer: 15,
  busy: 6,
  call_declined: 5,
  carrier_rejected: 2,
  canceled: 1,
};
type Weights = Partial<Record<Outcome, number>>;

/** How long it rings before a call takes its way, in milliseconds. */
const rings: Record<Outcome, readonly [least: number, most: number]> = {
  answered: [4000, 18_000],
  voicemail: [15_000, 25_000],
  no_answer: [30_000, 30_000],
  call_declined: [3000, 14_000],
  canceled: [3000, 12_000],
  busy: [1000, 3000],
  number_unreachable: [1000, 3000],
  carrier_rejected: [700, 2000],
};

/** When technicians come, in half hours since midnight, and how many of them there are. */
const FIRST_VISIT = 16;
const LAST_VISIT = 33;
const CREWS = 2;

/** Faker's own name for its parts of chance, so that people, days and what follows do not draw from one another. */
const PEOPLE = 1;
const DAYS = 2;

interface Person {
  readonly first_name: string;
  readonly full_name: string;
  readonly phone_number: string;
  readonly email: string | null;
  readonly street: string;
  readonly city: string;
  readonly service: Service;
  /** Whose number leads nowhere. */
  readonly unreachable: boolean;
  source: string;
  /** When it became a contact; null before. */
  created: number | null;
  busyUntil: number;
  /** How often it was called without being expected to. */
  offers: number;
}

interface Visit {
  readonly person: Person;
  readonly service: Service;
  /** The local day, and the half hour since midnight. */
  date: string;
  half: number;
  readonly created: number;
  readonly bookedBy: string;
  moved: boolean;
  canceled: boolean;
  /** The person was not at home. */
  readonly missed: boolean;
  reminders: number;
  reminded: boolean;
  followedUp: boolean;
}

/** The calls, contacts and appointments that a fixture asks for, at offsets from the start. */
export function generate(file: FixtureFile, seed: number, startsAt: number): Generated {
  if (!file.generated) return { calls: [], contacts: [], appointments: [] };
  return new Story(file, file.generated, seed, startsAt).tell();
}

class Story {
  readonly #file: FixtureFile;
  readonly #settings: Settings;
  readonly #seed: number;
  readonly #startsAt: number;
  readonly #faker: Faker = englishFaker().faker;
  readonly #localOf: ReturnType<typeof localTimesOf>;
  readonly #instantOf: ReturnType<typeof instantsOf>;
  readonly #calls: Call[] = [];
  readonly #visits: Visit[] = [];
  readonly #people: readonly Person[];
  readonly #inbound: readonly Agent[];
  readonly #outbound: readonly Agent[];

  constructor(file: FixtureFile, settings: Settings, seed: number, startsAt: number) {
    this.#file = file;
    this.#settings = settings;
    this.#seed = seed;
    this.#startsAt = startsAt;
    this.#localOf = localTimesOf(settings.time_zone);
    this.#instantOf = instantsOf(settings.time_zone);
    this.#people = this.#makePeople();
    this.#inbound = this.#agentsFor('inbound');
    this.#outbound = this.#agentsFor('outbound');
  }

  tell(): Generated {
    const today = this.#localOf(this.#startsAt).date;
    for (let back = this.#settings.days; back >= 0; back--) {
      this.#faker.seed([this.#seed, DAYS, back]);
      this.#live(dayAfter(today, -back));
    }
    return {
      calls: this.#calls,
      contacts: this.#people.flatMap((person) => (person.created === null ? [] : [contactOf(person, person.created)])),
      appointments: this.#visits.map((visit) => this.#appointmentOf(visit)),
    };
  }

  #makePeople(): Person[] {
    const { contacts, area_codes, services, days } = this.#settings;
    const faker = this.#faker;
    const { calls, contacts: known } = this.#file;
    const taken = new Set([...calls.flatMap(({ from, to }) => [from, to]), ...known.map((each) => each.phone_number)]);
    const codes = Object.keys(area_codes);
    const numbers = Array.from(
      { length: codes.length * PEOPLE_PER_AREA_CODE },
      (_, n) => `+1${codes[n % codes.length]}555${String(170 + Math.floor(n / codes.length)).padStart(4, '0')}`,
    ).filter((number) => !taken.has(number));
    const addresses = new Set<string>();
    return numbers.slice(0, contacts).map((phone_number, ordinal) => {
      faker.seed([this.#seed, PEOPLE, ordinal]);
      const first_name = faker.person.firstName();
      const last_name = faker.person.lastName();
      const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '');
      const address = addresses.has(name) ? `${name}.${ordinal}@example.com` : `${name}@example.com`;
      addresses.add(name);
      const isNew = this.#perhaps(0.4);
      return {
        first_name,
        full_name: `${first_name} ${last_name}`,
        phone_number,
        email: this.#perhaps(0.8) ? address : null,
        street: faker.location.streetAddress(),
        city: area_codes[phone_number.slice(2, 5)] as string,
        service: this.#one(services),
        unreachable: !isNew && this.#perhaps(0.05),
        source: isNew ? 'phone' : this.#one(['import', 'import', 'lead', 'manual']),
        created: isNew ? null : -faker.number.int({ min: days * DAY, max: days * DAY + 300 * DAY }),
        busyUntil: Number.NEGATIVE_INFINITY,
        offers: 0,
      };
    });
  }

  #agentsFor(type: Agent['agent_type']): Agent[] {
    const active = this.#file.phone_numbers.filter(({ status }) => status === 'ACTIVE');
    const holds = (number: string | undefined): boolean => active.some((each) => each.phone_number === number);
    return this.#file.agents.filter(
      ({ agent_type, owner, phone_number }) => agent_type === type && owner === undefined && holds(phone_number),
    );
  }

  /** The calls of one local day, one after the other. */
  #live(date: string): void {
    const faker = this.#faker;
    const weekday = isWorkingDay(date) ? weekdayOf(date) : 0;
    const share = weekdayShare[weekday] as number;
    const volume = this.#settings.calls_a_day * share * faker.number.float({ min: 0.9, max: 1.1 });
    const inbound = Math.round(weekday === 0 ? volume : volume * 0.55);
    const times = [
      ...this.#timesOf(inbound, inboundHours).map((time) => ({ time, inbound: true })),
      ...this.#timesOf(Math.round(volume) - inbound, outboundHours).map((time) => ({ time, inbound: false })),
    ].sort((a, b) => a.time - b.time);
    for (const { time, inbound: comesIn } of times) {
      const placed = this.#instantOf(date, time) - this.#startsAt;
      if (placed < -this.#settings.days * DAY) continue;
      if (comesIn) this.#hear(date, placed);
      else this.#dial(date, placed);
    }
  }

  #timesOf(count: number, hours: Readonly<Record<number, number>>): number[] {
    const weighted = Object.entries(hours).map(([hour, weight]) => ({ value: Number(hour), weight }));
    return Array.from(
      { length: Math.max(0, count) },
      () =>
        this.#faker.helpers.weightedArrayElement(weighted) * HOUR + this.#faker.number.int({ min: 0, max: HOUR - 1 }),
    );
  }

  /** Someone calls. */
  #hear(date: string, placed: number): void {
    const agent = this.#one(this.#inbound);
    const outcome = this.#drawn(inboundOutcomes);
    const open = this.#visits.filter(
      (visit) => !visit.canceled && !visit.moved && visit.date > date && isFree(visit.person, placed),
    );
    const about = this.#faker.number.int({ min: 1, max: 100 });
    const visit = about > 89 && open.length > 0 ? this.#one(open) : undefined;
    const person = visit?.person ?? this.#caller(placed);
    if (!person) return;
    const booked = this.#visits.some((each) => each.person === person && !each.canceled && each.date >= date);
    const facts = { person, agent, placed, outcome, inbound: true };
    if (outcome !== 'answered') this.#place(facts);
    else if (visit) this.#change(visit, facts);
    else if (about > 62 && !booked) this.#book('booked', date, facts);
    else this.#place(facts, 'asked', this.#topic(person, person.service));
  }

  /** A newcomer as long as there are any, or someone who is known. */
  #caller(placed: number): Person | undefined {
    const able = this.#people.filter((person) => !person.unreachable && isFree(person, placed));
    const newcomers = able.filter(({ created }) => created === null);
    const known = able.filter(({ created }) => created !== null);
    const wanted = newcomers.length > 0 && this.#perhaps(0.3) ? newcomers : known;
    return wanted.length > 0 ? this.#one(wanted) : undefined;
  }

  /** An agent calls: to remind of a visit, to ask how one was, else someone who has not booked. */
  #dial(date: string, placed: number): void {
    const [reminder, other = reminder] = this.#outbound as [Agent, ...Agent[]];
    // Nobody is called twice within an hour.
    const visits = this.#visits.filter(
      ({ person, canceled, created }) => !canceled && created < placed - HOUR && isFree(person, placed - HOUR),
    );
    const [next, last] = [workingDayFrom(date, 1), workingDayFrom(date, -1)];
    const ahead = visits.find((each) => each.date === next && !each.reminded && each.reminders < 2);
    const behind = visits.find((each) => each.date === last && !each.missed && !each.followedUp);
    if (ahead) this.#remind(ahead, reminder, placed);
    else if (behind && this.#perhaps(0.6)) this.#followUp(behind, other, placed);
    else this.#offer(date, other, placed);
  }

  #remind(visit: Visit, agent: Agent, placed: number): void {
    const { person, service, date, half } = visit;
    const outcome = this.#drawn(expectedOutcomes);
    visit.reminders += 1;
    visit.reminded = outcome === 'answered';
    const topic = this.#topic(person, service, spoken(date, half));
    this.#place({ person, agent, placed, outcome, inbound: false }, 'reminded', topic);
  }

  #followUp(visit: Visit, agent: Agent, placed: number): void {
    const { person, service } = visit;
    visit.followedUp = true;
    const outcome = this.#drawn(expectedOutcomes);
    this.#place({ person, agent, placed, outcome, inbound: false }, 'followed_up', this.#topic(person, service));
  }

  #offer(date: string, agent: Agent, placed: number): void {
    const booked = new Set(this.#visits.map(({ person }) => person));
    const able = this.#people.filter(
      (person) =>
        person.created !== null &&
        !booked.has(person) &&
        isFree(person, placed - HOUR) &&
        person.offers < (person.unreachable ? 2 : 4),
    );
    if (able.length === 0) return;
    const person = this.#one(able);
    person.offers += 1;
    const outcome = person.unreachable ? 'number_unreachable' : this.#drawn(coldOutcomes);
    const facts = { person, agent, placed, outcome, inbound: false };
    if (outcome === 'answered' && this.#perhaps(0.25)) this.#book('taken_up', date, facts);
    else this.#place(facts, 'offered', this.#topic(person, person.service));
  }

  #book(subject: 'booked' | 'taken_up', date: string, facts: CallFacts): void {
    const { person, agent } = facts;
    const { date: on, half } = this.#freeVisit(date);
    const call = this.#place(facts, subject, this.#topic(person, person.service, spoken(on, half)));
    if (!call) return;
    this.#visits.push({
      person,
      service: person.service,
      date: on,
      half,
      created: call.placed + call.ring + Math.floor(call.talk * 0.85),
      bookedBy: agent.name,
      moved: false,
      canceled: false,
      missed: this.#perhaps(0.05),
      reminders: 0,
      reminded: false,
      followedUp: false,
    });
  }

  /** A caller moves a visit, or calls it off. */
  #change(visit: Visit, facts: CallFacts): void {
    const { person, service, date, half } = visit;
    const when = spoken(date, half);
    if (this.#perhaps(0.3)) {
      if (this.#place(facts, 'called_off', this.#topic(person, service, when))) visit.canceled = true;
      return;
    }
    const later = this.#freeVisit(date);
    const topic = this.#topic(person, service, when, spoken(later.date, later.half));
    if (this.#place(facts, 'moved', topic)) Object.assign(visit, later, { moved: true, reminders: 0, reminded: false });
  }

  /** One to four working days on, at a time that not all crews have something at. */
  #freeVisit(after: string): { date: string; half: number } {
    for (let days = this.#faker.number.int({ min: 1, max: 4 }); ; days++) {
      const date = workingDayFrom(after, days);
      const halves = Array.from({ length: LAST_VISIT - FIRST_VISIT + 1 }, (_, n) => FIRST_VISIT + n).filter(
        (half) =>
          this.#visits.filter((each) => !each.canceled && each.date === date && each.half === half).length < CREWS,
      );
      if (halves.length > 0) return { date, half: this.#one(halves) };
    }
  }

  /** Puts a call that has ended by the start; answers it, or undefined where it would not have. */
  #place({ person, agent, placed, outcome, inbound }: CallFacts, subject?: Subject, topic?: Topic): Call | undefined {
    const faker = this.#faker;
    const [least, most] = inbound && outcome === 'answered' ? [1000, 3500] : rings[outcome];
    const ring = faker.number.int({ min: least, max: most });
    const script = outcome === 'answered' && subject && topic ? conversations[subject](topic) : undefined;
    const whole = script ? this.#lengthOf(script, agent) : 0;
    const cutOff = (subject === 'asked' || subject === 'offered') && this.#perhaps(0.06);
    const machine = outcome === 'voicemail' ? faker.number.int({ min: 2000, max: 5000 }) : 0;
    const talk = script ? Math.round(whole * (cutOff ? 0.6 : 1)) : machine;
    const ended = placed + ring + talk;
    if (ended >= 0) return undefined;
    const own = agent.phone_number as string;
    const call: Call = {
      owner: undefined,
      from: inbound ? person.phone_number : own,
      to: inbound ? own : person.phone_number,
      direction: inbound ? 'inbound' : 'outbound',
      placed,
      outcome,
      ring,
      talk,
      transcript: script ? [...script] : undefined,
      agent: agent.name,
      scenario: 'answered',
    };
    this.#calls.push(call);
    person.busyUntil = ended;
    if (outcome === 'answered') person.created ??= placed + ring;
    return call;
  }

  /** How long the lines take to say, in milliseconds: a little longer than a transcript needs to have room for each. */
  #lengthOf(script: readonly TranscriptLine[], { greeting, business_name }: Agent): number {
    const perCharacter = this.#faker.number.int({ min: 70, max: 90 });
    const pause = this.#faker.number.int({ min: 1200, max: 2800 });
    const said = (text: string): string =>
      text.replaceAll('{greeting}', greeting).replaceAll('{business_name}', business_name);
    return script.reduce((sum, { text }) => sum + said(text).length * perCharacter + pause, 0);
  }

  #topic(person: Person, { title, problem }: Service, when = '', later = ''): Topic {
    const { first_name, full_name, street, city } = person;
    return {
      first_name,
      full_name,
      street,
      city,
      service: title,
      problem,
      when,
      later,
      one: (of) => this.#one(of),
      perhaps: () => this.#perhaps(0.45),
    };
  }

  #appointmentOf(visit: Visit): FixtureFile['appointments'][number] {
    const { person, service, date, half, created, bookedBy, moved, canceled, missed } = visit;
    const starts = this.#instantOf(date, half * 30 * MINUTE) - this.#startsAt;
    const isOver = starts + service.lasts <= 0;
    return {
      owner: undefined,
      title: service.title,
      description: `${service.title} at ${person.street}, ${person.city}.`,
      contact_name: person.full_name,
      contact_email: person.email,
      starts,
      lasts: service.lasts,
      timezone: this.#settings.time_zone,
      status: canceled ? 'canceled' : !isOver ? 'confirmed' : missed ? 'no_show' : 'completed',
      event_type: 'appointment',
      scheduling_option: 'phone',
      notes: `Booked by ${bookedBy} on a call with ${person.phone_number}.${moved ? ' Moved once.' : ''}`,
      created,
    };
  }

  #one<T>(of: readonly T[]): T {
    return this.#faker.helpers.arrayElement(of);
  }

  #perhaps(probability: number): boolean {
    return this.#faker.datatype.boolean(probability);
  }

  #drawn(weights: Weights): Outcome {
    const weighted = Object.entries(weights).map(([value, weight]) => ({ value: value as Outcome, weight }));
    return this.#faker.helpers.weightedArrayElement(weighted);
  }
}

interface CallFacts {
  readonly person: Person;
  readonly agent: Agent;
  readonly placed: number;
  readonly outcome: Outcome;
  readonly inbound: boolean;
}

const isFree = ({ busyUntil }: Person, at: number): boolean => busyUntil < at - MINUTE;

function contactOf(
  { full_name, phone_number, email, unreachable, source, street, city, service }: Person,
  created: number,
): FixtureFile['contacts'][number] {
  return {
    owner: undefined,
    name: full_name,
    phone_number,
    email,
    status: unreachable ? 'inactive' : 'active',
    source,
    metadata: { street_address: street, city, interest: service.title },
    created,
  };
}

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Days on which nobody works, whatever the weekday. */
const holidays = ['01-01', '07-04', '12-25'];

const isWorkingDay = (date: string): boolean => weekdayOf(date) !== 0 && !holidays.includes(date.slice(5));

/** That many working days on (or back). */
function workingDayFrom(date: string, days: number): string {
  let day = date;
  for (let left = Math.abs(days); left > 0; ) {
    day = dayAfter(day, Math.sign(days));
    if (isWorkingDay(day)) left -= 1;
  }
  return day;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `on Thursday the 8th at 9:30 in the morning`. */
function spoken(date: string, half: number): string {
  const day = Number(date.slice(8));
  const ending = day % 10 > 3 || (day > 10 && day < 14) ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] as string);
  const hour = Math.floor(half / 2);
  const time = `${((hour + 11) % 12) + 1}:${half % 2 === 0 ? '00' : '30'}`;
  return `on ${weekdays[weekdayOf(date)]} the ${day}${ending} at ${time} in the ${hour < 12 ? 'morning' : 'afternoon'}`;
}
