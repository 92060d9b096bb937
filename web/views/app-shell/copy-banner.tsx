import './copy-banner.css'
import { render } from 'preact'
import { removeCopy } from '../../actions/organization.ts'
import { state } from '../../chat.ts'
import { f, loadFrameTexts } from '../../texts/frame.ts'
import { dateAndTime } from '../../ui/time.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'

/** Shows, as long as the page is open, that this is a copy of a backup. */
export async function showCopyBanner(): Promise<void> {
  await loadFrameTexts()
  const place = document.createElement('div')
  document.body.append(place)
  render(<CopyBanner />, place)
}

function CopyBanner() {
  const { taken_at, until } = state.organization.copy_of!
  return (
    <aside class="copy-banner">
      <span>{f.copy.banner({ moment: dateAndTime(taken_at), until: dateAndTime(until) })}</span>
      <ActButton
        kind="danger"
        question={{ title: f.copy.question, text: f.copy.hint }}
        onAct={async () => {
          const refusal = await refusalOf(removeCopy())
          if (refusal === undefined) location.reload()
          return refusal
        }}
      >
        {f.copy.remove}
      </ActButton>
    </aside>
  )
}
