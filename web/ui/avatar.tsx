import { useState } from 'preact/hooks'

interface AvatarProps {
  readonly url: string | null | undefined
  /** Name of the person. */
  readonly name: string
  /** Pixels. */
  readonly size: number
}

/**
 * A picture beside a name, hidden from screen readers. It shows only pictures of this server: a person with a picture elsewhere has initials,
 * so that the other server does not learn who reads. So does a person whose picture cannot be loaded.
 */
export function Avatar({ url, name, size }: AvatarProps) {
  const box = { width: `${size}px`, height: `${size}px` }
  const [failed, setFailed] = useState<string>()
  if (url && url !== failed && isOwn(url)) {
    return (
      <img
        class="avatar"
        src={url}
        width={size}
        height={size}
        style={box}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setFailed(url)}
      />
    )
  }
  const drawn = {
    ...box,
    fontSize: `${Math.round(size * 0.38)}px`,
    background: `hsl(${hueOf(name)} 42% 32%)`,
  }
  return (
    <span class="avatar avatar-initials" style={drawn} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name
    .replaceAll(/[^\p{L}\p{N}\s]/gu, '')
    .trim()
    .split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

export function isOwn(url: string): boolean {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
}

/** Returns the hue of a name: always the same for one name. */
function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 360
  return sum
}
