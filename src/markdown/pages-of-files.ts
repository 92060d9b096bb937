/** The address of a file, derived from that of a page about it. */
export interface FileAddress {
  /** Address of the file itself. */
  source: string
  /** The address to which its picture links: the page, or the file if the page adds little. */
  link: string
}

/**
 * Returns the file behind an address, usually that same address. Pages of code hosts, encyclopedias and file stores end like files but
 * are pages; undefined for pages whose file's address is unknown, or is not shown. Source: the public server's previews.
 */
export function fileAt(href: string, kind: 'image' | 'video' | 'audio'): FileAddress | undefined {
  const itself = { source: href, link: href }
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return itself
  const url = new URL(href)
  const rule = rules.find(({ hosts }) => hosts.some((host) => isWithin(url.hostname, host)))
  if (rule === undefined) return itself
  const source = rule.file(url)
  if (source === undefined) return undefined
  if (source === url.href) return itself
  if (rule.isForPictures && kind !== 'image') return undefined
  return { source, link: rule.isLinked ? source : href }
}

function isWithin(hostname: string, host: string): boolean {
  return hostname === host || hostname.endsWith(`.${host}`)
}

interface Rule {
  hosts: readonly string[]
  /** Whether the picture links to the file. */
  isLinked?: boolean
  /** Whether only pictures are shown from its pages: a video page has its film in special formats. */
  isForPictures?: boolean
  /** Returns the address of the file for an address of these hosts. */
  file(url: URL): string | undefined
}

const rules: readonly Rule[] = [
  { hosts: ['github.com'], file: fileOfGithub },
  {
    hosts: ['gitlab.com'],
    file: (url) => rawAt(url, /^((?:\/[^/]+){2,}\/-)\/(blob|blame|tree|commits|edit)\//),
  },
  { hosts: ['bitbucket.org', 'codeberg.org'], file: (url) => rawAt(url, /^((?:\/[^/]+){2})\/(src)\//) },
  {
    hosts: ['wikipedia.org', 'wikimedia.org'],
    isLinked: true,
    isForPictures: true,
    file: fileOfEncyclopedia,
  },
  { hosts: ['dropbox.com'], file: fileOfDropbox },
  { hosts: ['linx.li'], isLinked: true, file: ({ pathname }) => `https://linx.li/s${pathname}` },
  { hosts: ['pasteboard.co'], file: () => undefined },
]

function fileOfGithub(url: URL): string | undefined {
  const [, owner, repository, view, ...path] = url.pathname.split('/')
  if (view === 'blob') return ['https://raw.githubusercontent.com', owner, repository, ...path].join('/')
  return ['blame', 'commits', 'edit', 'tree'].includes(view ?? '') ? undefined : url.href
}

/** Returns the raw address of a file, on hosts with its content at the same path under `raw`. */
function rawAt(url: URL, view: RegExp): string | undefined {
  const match = view.exec(url.pathname)
  if (match === null) return url.href
  if (!/^(?:blob|src)$/.test(match[2]!)) return undefined
  return `${url.origin}${match[1]}/raw/${url.pathname.slice(match[0].length)}`
}

function fileOfEncyclopedia(url: URL): string | undefined {
  const { hostname, origin, pathname } = url
  if (hostname === 'upload.wikimedia.org' || pathname.startsWith('/wiki/Special:FilePath/')) return url.href
  if (!pathname.startsWith('/wiki/File:')) return undefined
  return `${origin}/wiki/Special:FilePath/${pathname.slice('/wiki/'.length)}`
}

/** Returns the file of a shared link; newer links need their key. */
function fileOfDropbox({ origin, pathname, searchParams }: URL): string | undefined {
  if (!/^\/(?:s|sh|scl)\//.test(pathname)) return undefined
  const key = pathname.startsWith('/scl/') ? searchParams.get('rlkey') : null
  return `${origin}${pathname}?${key === null ? '' : `rlkey=${encodeURIComponent(key)}&`}raw=1`
}
