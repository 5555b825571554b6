// A call from this browser to an agent, without a phone: its room is joined, what is said is shown as it is said, and the
// record of the call remains.
import { useEffect, useRef, useState } from 'preact/hooks';
import { platformClient } from '../api/access.ts';
import { SelectField } from '../parts/select-field.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { TurnList } from '../parts/turns.tsx';
import { useRead } from '../parts/use-read.ts';
import { go, route } from '../route.ts';
import type { Feed } from '../state/feed.ts';
import { Room } from '../state/room.ts';
import { CallDetail } from './call-detail.tsx';

export function TalkPage({ feed }: { readonly feed: Feed }) {
  const agents = useRead(feed.world, null, () => platformClient(feed.world).all('listAgents'));
  const [chosen, setChosen] = useState('');
  const [room, setRoom] = useState<Room | null>(null);
  useEffect(() => () => room?.leave(), [room]);
  const { id } = route.value;
  const enabled = agents.state === 'read' ? agents.value.filter((agent) => agent.enabled) : [];
  const agent = enabled.find((each) => each.id === chosen) ?? enabled[0];
  const isThere = room !== null && room.state.value !== 'over';

  const join = (event: Event): void => {
    event.preventDefault();
    if (!agent) return;
    if (id !== null) go({ id: null });
    setRoom(new Room(feed.world, agent.id));
  };
  const showCall = (call: string): void => {
    setRoom(null);
    go({ id: call });
  };

  return (
    <div class="dial">
      <form class="pad" aria-label="Agent to talk to" onSubmit={join}>
        <Introduction />
        {agents.state === 'reading' && <Loading what="the agents" />}
        {agents.state === 'failed' && <Failure error={agents.error} />}
        {agents.state === 'read' && enabled.length === 0 && <Empty title="No agent of this world is enabled" />}
        {agent && (
          <SelectField
            label="Agent"
            value={agent.id}
            onValue={setChosen}
            options={enabled.map((each) => [each.id, each.name ?? each.id])}
          />
        )}
        {agent && <JoinButton isThere={isThere} />}
      </form>
      <section class="pane-main dial-result" aria-label={room === null && id !== null ? 'The call' : 'The room'}>
        {room !== null ? (
          <RoomView room={room} onOver={showCall} />
        ) : id !== null ? (
          <CallDetail key={id} feed={feed} id={id} />
        ) : (
          noRoom
        )}
      </section>
    </div>
  );
}

const JoinButton = ({ isThere }: { readonly isThere: boolean }) => (
  <button type="submit" class="button button-main button-call" disabled={isThere}>
    {isThere ? 'You are in the room' : 'Join the room'}
  </button>
);

const noRoom = (
  <Empty title="Nobody is in a room">Join one: the agent greets you, and the call appears under Calls.</Empty>
);

const Introduction = () => (
  <>
    <h1>Talk to an agent</h1>
    <p class="pad-hint">
      This page joins a room with the agent, as a page of yours can: <code>POST /v1/agents/{'{id}'}/web-call</code>{' '}
      gives it an address and a token. What you type is what you say.
    </p>
  </>
);

function RoomView({ room, onOver }: { readonly room: Room; readonly onOver: (call: string) => void }) {
  const state = room.state.value;
  const call = room.call.value;
  const problem = room.problem.value;
  const turns = room.turns.value;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [turns.length]);
  useEffect(() => {
    if (state === 'over' && problem === null && call !== null) onOver(call);
  }, [state]);
  if (state === 'joining') return <Loading what="the room" />;
  return (
    <div class="room">
      <header class="record-head">
        <h2>In the room</h2>
        <button
          type="button"
          class="button button-small choice-hang_up"
          disabled={state === 'over'}
          onClick={() => room.hangUp()}
        >
          Hang up
        </button>
      </header>
      <div class="room-turns" role="log" aria-label="What is said">
        <TurnList turns={turns} />
        <div ref={end} />
      </div>
      {problem !== null && (
        <p class="notice notice-error" role="alert">
          {problem}
        </p>
      )}
      <SayForm isOver={state === 'over'} onSay={(text) => room.say(text)} />
    </div>
  );
}

function SayForm({ isOver, onSay }: { readonly isOver: boolean; readonly onSay: (text: string) => void }) {
  const [text, setText] = useState('');
  function say(event: Event): void {
    event.preventDefault();
    if (text.trim() === '') return;
    onSay(text.trim());
    setText('');
  }
  return (
    <form class="say" aria-label="Say something" onSubmit={say}>
      <label class="field">
        <span>Say</span>
        <input
          autocomplete="off"
          maxLength={1000}
          placeholder="Is there parking close by?"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button button-main" disabled={isOver}>
        Say it
      </button>
    </form>
  );
}
