import { useState } from 'preact/hooks'
import { type Hold, loadHolds, placeHold, releaseHold } from '../../actions/holds.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Part } from '../../ui/setting-row.tsx'
import { ago, wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { ActButton, ActForm } from '../../ui/use-action.tsx'
import { FetchedList, refusalOf, useFetched } from '../settings/fetched.tsx'
import { PickPerson, Picks } from '../settings/people-row.tsx'
import { channelName, nameOrder, realName } from '../words.ts'
import { Erasures } from './erasures.tsx'

/** People and channels of which nothing is deleted, and people who were erased, for owners. */
export function HoldsSection() {
  const holds = useFetched(loadHolds)
  return (
    <>
      <NewHold onDone={holds.reload} />
      <Part title={s.holds.title}>
        <FetchedList of={holds} nothing={s.holds.none}>
          {(list) => (
            <ul class="items">
              {list.map((hold) => (
                <HoldItem key={hold.id} of={hold} onChange={holds.reload} />
              ))}
            </ul>
          )}
        </FetchedList>
      </Part>
      <Erasures />
    </>
  )
}

function NewHold({ onDone }: { readonly onDone: () => Promise<void> }) {
  watch('channel', 'user')
  const [kind, setKind] = useState<'person' | 'channel'>('person')
  const [userId, setUser] = useState<number>()
  const channels = [...state.channels.values()].sort((a, b) => nameOrder()(a.name, b.name))
  return (
    <Part title={s.holds.new} hint={s.holds.hint}>
      <ActForm
        kind="main"
        button={s.holds.place}
        onAct={async (form) => {
          if (kind === 'person' && userId === undefined) return s.holds.nobody
          const of = kind === 'person' ? { user_id: userId! } : { stream_id: Number(form.get('channel')) }
          return refusalOf(placeHold(of, String(form.get('reason')).trim()))
        }}
        onDone={() => {
          setUser(undefined)
          void onDone()
        }}
      >
        <label class="labelled">
          <span>{s.holds.what}</span>
          <select
            class="field"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as typeof kind)}
          >
            <option value="person">{s.holds.person}</option>
            <option value="channel">{s.holds.channel}</option>
          </select>
        </label>
        {kind === 'person' && userId === undefined && (
          <PickPerson
            label={s.holds.person}
            button={s.choose}
            hasClosed
            isLeftOut={() => false}
            onPick={setUser}
          />
        )}
        {kind === 'person' && userId !== undefined && (
          <Picks ids={[userId]} onRemove={() => setUser(undefined)} />
        )}
        {kind === 'channel' && (
          <label class="labelled">
            <span>{s.holds.channel}</span>
            <select class="field" name="channel">
              {channels.map(({ stream_id, name }) => (
                <option key={stream_id} value={stream_id} dir="auto">
                  #{name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="labelled">
          <span>{s.holds.reason}</span>
          <input class="field" name="reason" required maxLength={1_000} autocomplete="off" />
        </label>
      </ActForm>
    </Part>
  )
}

function HoldItem({ of, onChange }: { readonly of: Hold; readonly onChange: () => Promise<void> }) {
  const { id, user_id, stream_id, reason, acting_user_id, placed_at } = of
  const name = user_id === null ? `#${channelName(stream_id!)}` : realName(user_id)
  return (
    <li class="item">
      <span class="item-main">
        <bdi>{name}</bdi>
        <span class="small soft" dir="auto">
          {reason}
        </span>
        <span class="small soft" {...tip(wholeTime(placed_at))}>
          {realName(acting_user_id)} · {ago(placed_at)}
        </span>
      </span>
      <ActButton
        kind="danger"
        label={s.holds.releaseOf(name)}
        question={{ title: s.holds.releaseQuestion(name), text: s.holds.releaseHint }}
        onAct={async () => {
          const refusal = await refusalOf(releaseHold(id))
          if (refusal === undefined) await onChange()
          return refusal
        }}
      >
        {s.holds.release}
      </ActButton>
    </li>
  )
}
