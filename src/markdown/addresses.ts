/** A bare address in a text: `[start, end)` in UTF-16 units. */
export interface Address {
  start: number
  end: number
}

/** Limit of the nested parentheses in an address; a text with deeper ones is not an address. */
const deepestParentheses = 7
/** Limit of the possible starts of an address checked in one sequence without whitespace. */
const maxBeginnings = 10

/**
 * The bare addresses of a text: web addresses, with a scheme or known by their top-level domain, mail addresses, and bitcoin addresses.
 * An address begins at the start of a word or after one of `'"(,:<`, and only sentence punctuation may stand between it and the end of
 * the word, so nothing that looks like an attribute of a tag is one. A user name may stand before a host with a scheme, but not a
 * password, which people rarely mean to show. Source: the public server's renderings.
 */
export function findAddresses(text: string): Address[] {
  const found: Address[] = []
  for (let end = 0; ; ) {
    const sign = firstSignOfAddress(text, end)
    if (sign === text.length) return found
    let start = sign
    while (start > end && !isSpace(text, start - 1)) start--
    end = sign
    while (end < text.length && !isSpace(text, end)) end++
    const address = addressInWord(text.slice(start, end))
    if (address) found.push({ start: start + address.start, end: start + address.end })
  }
}

/** Returns the first position from `start` of a character that every address has; the text's length without one. */
function firstSignOfAddress(text: string, start: number): number {
  let position = start
  while (position < text.length && !isSignOfAddress(text.charCodeAt(position))) position++
  return position
}

function isSignOfAddress(code: number): boolean {
  return code === 0x2e || code === 0x40 || code === 0x3a
}

function isSpace(text: string, position: number): boolean {
  const code = text.charCodeAt(position)
  return code <= 0x20 || code >= 0xa0 ? /\s/.test(text[position]!) : false
}

/** Returns the address in a word. There is at most one, because it reaches to the word's last characters. */
function addressInWord(word: string): Address | undefined {
  let signs = word.length
  while (signs > 0 && mayFollow(word[signs - 1]!)) signs--
  if (firstSignOfAddress(word, 0) >= signs) return undefined
  if (!/[.@]|:\/\/|bitcoin:/i.test(word.slice(0, signs))) return undefined
  let beginnings = 0
  for (let start = 0; start < signs && beginnings < maxBeginnings; start++) {
    if (!mayBegin(word, start)) continue
    beginnings++
    const end =
      webAddressEnd(word, start, signs) ??
      (isInHost(word, start) ? undefined : mailAddressEnd(word, start, signs))
    if (end !== undefined) return { start, end }
  }
  return undefined
}

/** Whether an address may begin there: emphasis marks may surround it, and letters of scripts without spaces may precede its scheme. */
function mayBegin(word: string, start: number): boolean {
  if (!/[\w\u0080-\uffff]/.test(word[start]!)) return false
  if (start === 0 || `'"(,:<*~`.includes(word[start - 1]!)) return true
  return word[start - 1]! > '\x7f' && /^https?:/i.test(word.slice(start, start + 6))
}

/** Whether a position is within the host of an address with a scheme, where a password would look like a mail address. */
function isInHost(word: string, position: number): boolean {
  const host = word.lastIndexOf('://', position)
  return host >= 0 && !/[/?#]/.test(word.slice(host + 3, position))
}

function mayFollow(char: string): boolean {
  return `!:;?),.'">*~`.includes(char)
}

/** Returns the end of a web address that begins at `start`; only punctuation may follow from `signs` on. */
function webAddressEnd(word: string, start: number, signs: number): number | undefined {
  const scheme = /^(?:https?|ftp):\/\//i.exec(word.slice(start, start + 8))?.[0]
  if (scheme === undefined && /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/i.test(word.slice(start, signs))) {
    return signs
  }
  const host = scheme === undefined ? start : start + scheme.length + userLength(word, start + scheme.length)
  let end = host
  while (end < signs && isHostChar(word[end]!)) end++
  if (end === host) return undefined
  if (scheme === undefined && !isKnownHost(word.slice(host, end))) return undefined
  // Punctuation of scripts without spaces ends a sentence too.
  if (end === signs || /[^\0-\x7f]/.test(word[end]!)) return end
  return /[/?#]/.test(word[end]!) ? pathEnd(word, end, signs) : undefined
}

/** Returns the length of the user name before a host, including its `@`; 0 without one. */
function userLength(word: string, start: number): number {
  let end = start
  while (end < word.length && isUserChar(word[end]!)) end++
  return end > start && word[end] === '@' ? end + 1 - start : 0
}

function isUserChar(char: string): boolean {
  return /[\w.%+-]/.test(char)
}

function isHostChar(char: string): boolean {
  return /[\w.:\p{L}\p{N}\p{M}\p{S}\p{Cs}-]/u.test(char)
}

/** Whether a name has several parts and ends in a top-level domain, with or without a port. */
function isKnownHost(host: string): boolean {
  const [name, port, more] = host.split(':', 3) as [string, string?, string?]
  if (more !== undefined || (port !== undefined && !/^\d{1,5}$/.test(port))) return false
  const labels = name.split('.')
  return labels.length > 1 && !labels.includes('') && isTopLevelDomain(labels.at(-1)!)
}

/** Returns the first index from `signs` on at which all parentheses are closed. */
function pathEnd(word: string, start: number, signs: number): number | undefined {
  let depth = 0
  for (let pos = start; ; pos++) {
    if (pos >= signs && depth === 0) return pos
    const char = word[pos]
    if (char === undefined || char === '"') return undefined
    if (char === '(' && ++depth > deepestParentheses) return undefined
    if (char === ')' && --depth < 0) return undefined
  }
}

function mailAddressEnd(word: string, start: number, signs: number): number | undefined {
  const address = word.slice(start, signs)
  return /^[\w.+\u0080-\uffff-]+@(?:[\w\u0080-\uffff-]+\.)+[\w\u0080-\uffff]+$/.test(address)
    ? signs
    : undefined
}

/** Domains of countries and regions, except those that are mostly file endings: `setup.py`, `README.md`. */
const regions =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'

/** Longer top-level domains that people write without a scheme. */
const others =
  'academy accountants actor aero agency amazon apartments app apple arpa art asia associates audio auto baby band bank bar bargains bbc beer best bet bible bid bike bingo bio biz black blog blue bmw boats book boutique broker build builders business buzz cab cafe cam camera camp capital car cards care career careers cars casa cash casino cat catering center ceo charity chat cheap church city claims cleaning click clinic clothing cloud club coach codes coffee college com community company computer condos construction consulting contractors cooking cool coop country coupons courses credit creditcard cricket cruises dance date dating day deals degree delivery democrat dental dentist design dev diamonds diet digital direct directory discount doctor dog domains download earth eco edu education email energy engineer engineering enterprises equipment estate events exchange expert exposed express fail faith family fan fans farm fashion film finance financial fish fit fitness flights florist flowers fm football forsale foundation fun fund furniture fyi gallery game games garden gay gdn gift gifts gives glass global gmbh gold golf google gov graphics gratis green gripe group guide guitars guru hair haus health healthcare help hiphop hockey holdings holiday home horse hospital host hosting house how icu immo immobilien inc industries info ink institute insurance insure int international investments ist istanbul jetzt jewelry jobs jobs juegos kaufen kim kitchen kiwi land lat law lawyer lease legal lgbt life lighting limited limo link live loan loans lol london love ltd ltda luxury management market marketing markets mba media memorial men menu mil mobi moda moe mom money monster mortgage moscow motorcycles mov movie museum name navy net network news ngo ninja nyc observer one ong online ooo org organic paris partners parts party pay pet pharmacy phone photo photography photos physio pics pictures pink pizza place plumbing plus poker porn press pro productions promo properties property pub qpon quest racing realty recipes red rehab rent rentals repair report republican rest restaurant review reviews rich rip rocks rodeo run sale salon save school schule science security seek services sex sexy shoes shop shopping show singles site ski soccer social software solar solutions space sport sports store stream studio study style sucks supplies supply support surf surgery swiss systems tattoo tax taxi team tech technology tel tennis theater theatre tickets tienda tips tires today tokyo tools top tours town toys trade training travel tube university uno vacations vegas ventures vet viajes video villas vin vip vision vodka vote voting voyage wang watch web webcam website wedding wiki win wine work works world wtf xin xxx xyz yachts yoga yokohama youtube zip zone рф укр бел срб 中国 中國 公司 网络 在线 香港 台湾 한국 рус онлайн сайт भारत مصر السعودية'

let names: ReadonlySet<string> | undefined

/** Whether a name with this ending and without a scheme counts as a site. */
function isTopLevelDomain(name: string): boolean {
  names ??= new Set(`${regions} ${others}`.split(' '))
  return names.has(name.toLowerCase())
}
