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
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { ActButton } from '../../ui/acting.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/empty.tsx'
import { Part, SwitchRow } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ShownKey } from './account.tsx'
import { FetchedList, FetchFailed, refusalOf, useFetched } from './fetched.tsx'

/** Makes a new secret for an outgoing webhook, and shows it until the dialog is closed. */
export function SecretPart({ botId }: { readonly botId: number }) {
  const [secret, setSecret] = useState('')
  return (
    <Part title={s.bots.signature} hint={s.bots.secretHint}>
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

/** The events for which an outgoing webhook is called. Which channels, programs say; that stays as it is here. */
export function EventsPart({ botId }: { readonly botId: number }) {
  const subscribed = useFetched(() => loadEventSubscriptions(botId), [botId])
  const { value, refusal } = subscribed
  const save = async (event: string, isOn: boolean) => {
    const others = value!.filter((one) => one.event !== event)
    const wanted: EventSubscription[] = isOn ? [...others, { event, channel_ids: null }] : others
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
            <SwitchRow
              key={event}
              label={s.bots.triggers[event]!}
              hint={hintOf(found)}
              value={found !== undefined}
              onSave={(isOn) => save(event, isOn)}
            />
          )
        })}
    </Part>
  )
}

/** The last calls of an outgoing webhook. */
export function Deliveries({ botId }: { readonly botId: number }) {
  const deliveries = useFetched(() => loadDeliveries(botId), [botId])
  const again = async (id: number) => {
    const refusal = await refusalOf(resendDelivery(botId, id))
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
  const what = s.bots.triggers[trigger] ?? trigger
  return (
    <li class="item">
      <span class="item-main">
        {status ?? s.bots.noAnswer} · {what}
        <span class="small soft">
          {ago(timestamp)} · {s.bots.attempt(attempt)} · {s.bots.took(ms)}
          {error !== null && ` · ${error}`}
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
