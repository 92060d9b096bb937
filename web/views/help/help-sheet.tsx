import './help.css'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { isHelpOpen } from '../preferences.ts'
import { KEYS, type KeyGroup } from './keyboard.ts'

const GROUPS: readonly KeyGroup[] = ['go', 'move', 'write', 'message']

const SIGNS: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ' ': '␣',
  Escape: 'Esc',
  'Ctrl+k': 'Ctrl K',
}

/** What each key does. */
export function HelpSheet() {
  const close = () => {
    isHelpOpen.value = false
  }
  return (
    <Dialog title={t.help.title} wide onClose={close}>
      <div class="help-groups">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{t.help.groups[group]}</h3>
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
    </Dialog>
  )
}
