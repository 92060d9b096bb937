import './help.css'
import { go } from '../../navigation.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keyInPlaceOf, signOf } from '../../ui/keys.ts'
import { isHelpOpen, setSingleKeys, settings, usesSingleKeys } from '../preferences.ts'
import { keyName } from './key-name.ts'
import { KEY_GROUPS, KEYS } from './keyboard.ts'

export { loadFrameTexts } from '../../texts/frame.ts'

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
          {f.help.singleKeys}
          <span class="help-hint">{f.help.singleKeysHint}</span>
        </span>
      </label>
      <p class="help-change">
        <Button onClick={changeKeys}>{f.help.changeKeys}</Button>
      </p>
      <KeyTable level={Heading} />
    </>
  )
}

function changeKeys(): void {
  isHelpOpen.value = false
  // The dialog first returns the focus to where it was.
  setTimeout(() => go({ view: 'settings', path: ['keyboard'] }))
}

/** The keys of the box for writing, which work only there. */
function writingKeys(): readonly (readonly [keyof typeof f.help.writing, readonly string[]])[] {
  const isEnter = settings().enter_sends
  return [
    ['send', [isEnter ? 'Enter' : 'Ctrl+Enter']],
    ['newLine', [isEnter ? 'Shift+Enter' : 'Enter']],
    ['editLast', ['ArrowUp']],
    ['bold', ['Ctrl+B']],
    ['italic', ['Ctrl+I']],
    ['link', ['Ctrl+Shift+L']],
  ]
}

function KeyTable({ level: Heading }: { readonly level: 'h2' | 'h3' }) {
  return (
    <div class="help-groups">
      {KEY_GROUPS.map((group) => (
        <section key={group}>
          <Heading>{f.help.groups[group]}</Heading>
          <dl>
            {KEYS.filter((entry) => entry.group === group).map((entry) => {
              const keys = entry.keys.map(keyInPlaceOf).filter((key) => key !== '')
              return (
                <div key={entry.name}>
                  <dt>
                    {keys.length === 0 ? (
                      <span class="soft">{f.help.noKey}</span>
                    ) : (
                      keys.map((key) => <kbd key={key}>{signOf(key)}</kbd>)
                    )}
                  </dt>
                  <dd>{keyName(entry)}</dd>
                </div>
              )
            })}
            {group === 'write' &&
              writingKeys().map(([name, keys]) => (
                <div key={name}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key === 'ArrowUp' ? '↑' : key.split('+').map(signOf).join('+')}</kbd>
                    ))}
                  </dt>
                  <dd>{f.help.writing[name]}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
