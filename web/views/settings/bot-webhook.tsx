import './webhook.css'
import { useState } from 'preact/hooks'
import {
  type Delivery,
  type EventSubscription,
  loadDeliveries,
  loadEventSubscriptions,
  renewWebhookSecret,
  resendDelivery,
  saveEventSubscriptions,
  WEBHOOK_EVENTS,
} from '../../actions/bots.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { wordFor } from '../../texts/word-for.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/empty.tsx'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { FetchedList, FetchFailed, refusalOf, useFetched } from './fetched.tsx'
import { ShownKey } from './shown-key.tsx'

/** Makes a new secret for an outgoing webhook, and shows it until the dialog is closed. */
export function SecretPart({ botId }: { readonly botId: number }) {
  const [secret, setSecret] = useState('')
  return (
    <Part title={s.bots.signature} hint={secret === '' ? s.bots.signed : s.bots.secretHint}>
      {secret !== '' && <ShownKey value={secret} />}
      <ActButton
        question={{ title: s.bots.newSecretQuestion, text: s.bots.newSecretHint }}
        kind="main"
        onAct={() => refusalOf(renewWebhookSecret(botId).then(setSecret))}
      >
        {s.bots.newSecret}
      </ActButton>
    </Part>
  )
}

/** The events for which an outgoing webhook is called, and of which channels. */
export function EventsPart({ botId }: { readonly botId: number }) {
  const subscribed = useFetched(() => loadEventSubscriptions(botId), [botId])
  const { value, refusal } = subscribed
  const save = async (event: string, wantedOne: EventSubscription | undefined) => {
    const others = value!.filter((one) => one.event !== event)
    const wanted = wantedOne ? [...others, wantedOne] : others
    const said = await refusalOf(saveEventSubscriptions(botId, wanted))
    if (said === undefined) await subscribed.reload()
    return said
  }
  const hintOf = (found: EventSubscription | undefined) =>
    found?.channel_ids ? s.bots.inChannels(found.channel_ids.length) : undefined
  return (
    <Part title={s.bots.events} hint={s.bots.eventsHint}>
      {refusal !== undefined && <FetchFailed of={subscribed} />}
      {refusal === undefined && value === undefined && <Loading label={t.loading} />}
      {value &&
        WEBHOOK_EVENTS.map((event) => {
          const found = value.find((one) => one.event === event)
          return (
            <div key={event}>
              <SwitchRow
                label={s.bots.triggers[event]!}
                hint={hintOf(found)}
                value={found !== undefined}
                onSave={(isOn) => save(event, isOn ? { event, channel_ids: null } : undefined)}
              />
              {found && event !== WITHOUT_CHANNEL && (
                <ChannelChoices
                  what={s.bots.triggers[event]!}
                  chosen={found.channel_ids}
                  onChoose={(channel_ids) => save(event, { event, channel_ids })}
                />
              )}
            </div>
          )
        })}
    </Part>
  )
}

/** The event that is about no channel. */
const WITHOUT_CHANNEL = 'new_person'

interface ChannelChoicesProps {
  /** Name of the event. */
  readonly what: string
  /** Null: all. */
  readonly chosen: readonly number[] | null
  readonly onChoose: (ids: readonly number[] | null) => Promise<string | undefined>
}

function ChannelChoices({ what, chosen, onChoose }: ChannelChoicesProps) {
  watch('channel')
  const [isSome, setSome] = useState(chosen !== null)
  const [refusal, setRefusal] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const choose = async (ids: readonly number[] | null) => {
    setSaving(true)
    setRefusal(await onChoose(ids))
    setSaving(false)
  }
  const channels = [...state.channels.values()].sort((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      <label class="labelled">
        <span>
          {s.bots.whichChannels}
          {t.colon}
          {what}
        </span>
        <select
          class="field"
          value={isSome ? 'some' : 'all'}
          onChange={({ currentTarget }) => {
            const wantsSome = currentTarget.value === 'some'
            setSome(wantsSome)
            if (!wantsSome && chosen !== null) void choose(null)
          }}
        >
          <option value="all">{s.bots.allChannels}</option>
          <option value="some">{s.bots.someChannels}</option>
        </select>
      </label>
      {isSome && (
        <fieldset class="webhook-events" disabled={isSaving}>
          <legend class="hidden-text">
            {s.bots.whichChannels}
            {t.colon}
            {what}
          </legend>
          {channels.map(({ stream_id, name }) => (
            <label key={stream_id} class="check">
              <input
                type="checkbox"
                checked={chosen?.includes(stream_id) ?? false}
                onChange={({ currentTarget }) => {
                  const others = (chosen ?? []).filter((id) => id !== stream_id)
                  const ids = currentTarget.checked ? [...others, stream_id] : others
                  // An empty list would mean all, which only the list above may choose.
                  if (ids.length === 0) currentTarget.checked = true
                  else void choose(ids)
                }}
              />
              <bdi>#{name}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      {refusal !== undefined && (
        <p class="webhook-problem" role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

/** The milliseconds after which the result of a resent call is fetched. It waits for other calls, and up to ten seconds for an answer. */
const WAITS_FOR_CALL = [300, 700, 1_500, 3_000, 6_000]

const newestOf = (deliveries: readonly Delivery[] | undefined) => deliveries?.[0]?.id

/** The last calls of an outgoing webhook. */
export function Deliveries({ botId }: { readonly botId: number }) {
  const deliveries = useFetched(() => loadDeliveries(botId), [botId])
  const again = async (id: number) => {
    const newest = newestOf(deliveries.value)
    const refusal = await refusalOf(resendDelivery(botId, id))
    for (const wait of refusal === undefined ? WAITS_FOR_CALL : []) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      const isMade = await loadDeliveries(botId).then(
        (list) => newestOf(list) !== newest,
        () => false,
      )
      if (isMade) break
    }
    if (refusal === undefined) await deliveries.reload()
    return refusal
  }
  return (
    <Part title={s.bots.deliveries}>
      <p>
        <Button onClick={deliveries.reload}>{s.bots.reload}</Button>
      </p>
      <FetchedList of={deliveries} nothing={s.bots.noDeliveries}>
        {(list) => (
          <ul class="items spaced">
            {list.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} onResend={() => again(delivery.id)} />
            ))}
          </ul>
        )}
      </FetchedList>
    </Part>
  )
}

function DeliveryItem({
  delivery,
  onResend,
}: {
  readonly delivery: Delivery
  readonly onResend: () => Promise<string | undefined>
}) {
  const { trigger, timestamp, attempt, status, ms, answer, error } = delivery
  const what = wordFor(s.bots.triggers, trigger) ?? trigger
  return (
    <li class="item">
      <span class="item-main">
        {status ?? s.bots.noAnswer} · {what}
        <span class="small soft">
          {ago(timestamp)} · {s.bots.attempt(attempt)} · {s.bots.took(ms)}
          {error !== null && ' · '}
          {error !== null && <bdi>{error}</bdi>}
        </span>
        {answer !== '' && (
          <details class="small">
            <summary>{s.bots.answer}</summary>
            <code class="delivery-answer">{answer}</code>
          </details>
        )}
      </span>
      <span class="item-end">
        <ActButton label={`${s.bots.sendAgain}: ${what}, ${ago(timestamp)}`} onAct={onResend}>
          {s.bots.sendAgain}
        </ActButton>
      </span>
    </li>
  )
}
