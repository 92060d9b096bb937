import './help.css'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isHelpOpen, setSingleKeys, usesSingleKeys } from '../preferences.ts'
import { KEYS, type KeyGroup } from './keyboard.ts'

const GROUPS: readonly KeyGroup[] = ['go', 'move', 'write', 'message']

const SIGNS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ' ': '␣',
  Escape: 'Esc',
  'Ctrl+k': 'Ctrl K',
}

/** The sheet that explains the keys. */
export function HelpSheet() {
  const close = () => {
    isHelpOpen.value = false
  }
  return (
    <Dialog title={t.help.title} wide onClose={close}>
      <Keys level="h3" />
    </Dialog>
  )
}

/** The sheet as a view with an address, `#help`. */
export function HelpView() {
  return (
    <>
      <header class="view-head">
        <Icon name="keyboard" />
        <h1>{t.help.title}</h1>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list without anything to press is scrolled by keys too */}
      <section class="view-scroll" aria-label={t.help.title} tabIndex={0}>
        <div class="view-inner help-view">
          <Keys level="h2" />
        </div>
      </section>
    </>
  )
}

function Keys({ level: Heading }: { readonly level: 'h2' | 'h3' }) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={usesSingleKeys.value}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        <span>
          {t.help.singleKeys}
          <span class="help-hint">{t.help.singleKeysHint}</span>
        </span>
      </label>
      <KeyTable level={Heading} />
    </>
  )
}

function KeyTable({ level: Heading }: { readonly level: 'h2' | 'h3' }) {
  return (
    <div class="help-groups">
      {GROUPS.map((group) => (
        <section key={group}>
          <Heading>{t.help.groups[group]}</Heading>
          <dl>
            {KEYS.filter((entry) => entry.group === group).map(({ keys, name }) => (
              <div key={name}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{SIGNS[key] ?? key}</kbd>
                  ))}
                </dt>
                <dd>{(t.help.keys as Record<string, string>)[name]}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
