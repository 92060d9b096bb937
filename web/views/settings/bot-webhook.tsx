import { useState } from 'preact/hooks'
import { type Delivery, loadDeliveries, renewWebhookSecret, resendDelivery } from '../../actions/bots.ts'
import { s } from '../../texts/settings.ts'
import { ActButton } from '../../ui/acting.tsx'
import { Button } from '../../ui/button.tsx'
import { Part } from '../../ui/setting-row.tsx'
import { ago } from '../../ui/time.tsx'
import { ShownKey } from './account.tsx'
import { FetchedList, refusalOf, useFetched } from './fetched.tsx'

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
