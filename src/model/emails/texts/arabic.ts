import { isolated as own } from '../../../core/written-languages.ts'
import type { MailTexts } from './english.ts'

export const ARABIC: MailTexts = {
  language: 'ar',
  emptyTopic: 'دردشة عامة',
  greeting: (name) => (name === undefined ? 'مرحبًا،' : `مرحبًا ${own(name)}،`),
  occasion: {
    device: (program, system) =>
      `${program === undefined ? 'برنامج غير معروف' : own(program)} على ${system === undefined ? 'نظام غير معروف' : own(system)}`,
    time: (time) => `الوقت: ${own(time)}`,
    by: (device) => `الجهاز: ${device}`,
    from: (network) => `المصدر: ${own(network)}`,
  },
  unknownWithoutPassword: (url) =>
    `إن لم تكن أنت فسجِّل الخروج من كل مكان هنا، وأمِّن حسابك لدى موفّر الدخول، وتواصل مع أحد المسؤولين:\n${url}`,
  login: {
    subject: (device) => `تسجيل دخول جديد من ${device}`,
    happened: (address, organization, origin) =>
      `سُجِّل الدخول باسم ${own(address)} إلى ${own(organization)} (${own(origin)}) ببرنامج لم يُستخدم لذلك من قبل.`,
    wellKnown: 'إن كنت أنت فلا حاجة إلى فعل شيء.',
    unknown: (url) => `وإلا فاختر كلمة مرور جديدة فورًا، وبذلك تنتهي أيضًا الجلسات التي بدأت بالقديمة:\n${url}`,
    unsubscribe: 'إيقاف رسائل تسجيلات الدخول الجديدة',
  },
  credentials: {
    password: {
      subject: (organization) => `تغيَّرت كلمة مرورك في ${own(organization)}`,
      happened: (address, organization) => `تغيَّرت كلمة مرور ${own(address)} في ${own(organization)}.`,
    },
    apiKey: {
      subject: (organization) => `مفتاح API جديد لك في ${own(organization)}`,
      happened: (address, organization) =>
        `أُنشئ مفتاح API جديد للحساب ${own(address)} في ${own(organization)}. حلَّ محل القديم، وسُجِّل خروج البرامج التي كانت تستخدمه.`,
    },
    factorAdded: {
      subject: (organization) => `التحقق بخطوتين في ${own(organization)}: وسيلة جديدة`,
      happened: (address, organization) =>
        `أُضيف تطبيق مصادقة أو مفتاح مرور إلى الحساب ${own(address)} في ${own(organization)}. من الآن لا تكفي كلمة المرور وحدها لتسجيل الدخول.`,
    },
    factorRemoved: {
      subject: (organization) => `التحقق بخطوتين في ${own(organization)}: أُزيلت وسيلة`,
      happened: (address, organization) =>
        `أُزيل تطبيق مصادقة أو مفتاح مرور من الحساب ${own(address)} في ${own(organization)}.`,
    },
    factorsReset: {
      subject: (organization) => `أُعيد ضبط التحقق بخطوتين في ${own(organization)}`,
      happened: (address, organization) =>
        `أزال مسؤول تطبيق المصادقة ومفاتيح المرور ورموز الاسترداد للحساب ${own(address)} في ${own(organization)}. أعد إعداد التحقق بخطوتين في إعداداتك.`,
    },
    recoveryCodes: {
      subject: (organization) => `رموز استرداد جديدة في ${own(organization)}`,
      happened: (address, organization) =>
        `أُنشئت رموز استرداد جديدة للحساب ${own(address)} في ${own(organization)}. لم تعد القديمة صالحة.`,
    },
    loginConnected: {
      subject: (organization) => `طريقة جديدة لتسجيل الدخول إلى ${own(organization)}`,
      happened: (address, organization) =>
        `رُبط الحساب ${own(address)} في ${own(organization)} بحساب لدى موفّر دخول. من الآن يمكن تسجيل الدخول به أيضًا.`,
    },
    tokensConnected: {
      subject: (organization) => `طريقة جديدة لتسجيل الدخول إلى ${organization}`,
      happened: (address, organization) =>
        `من الآن فصاعدًا يمكن لنظام آخر تابع للمؤسسة أن يفتح الحساب ${address} في ${organization} برموزه.`,
    },
    unknown: (url) => `إن لم تكن أنت فاختر كلمة مرور جديدة فورًا وتواصل مع أحد المسؤولين:\n${url}`,
  },
  addressChange: {
    subject: (organization) => `تغيَّر عنوانك في ${own(organization)}`,
    happened: (organization, newAddress) =>
      `عنوان بريد حسابك في ${own(organization)} من الآن هو ${own(newAddress)}. به تسجِّل الدخول، وإليه يُرسل البريد.`,
    given: (organization, newAddress) =>
      `أصبح عنوان البريد الإلكتروني لحسابك في ${organization} هو ${newAddress}. لن يفتح حسابك إلا بعد أن تؤكده. حتى ذلك الحين تسجّل الدخول كما في السابق، وتصل الرسائل المتعلقة بحسابك إلى هنا.`,
    confirm: (url) =>
      `إذا كان هذا عنوانك الآن، فأكّده خلال يوم بهذا الرابط، أو سجّل الدخول به وبكلمة مرورك:\n${url}`,
    byAdministrator: 'غيَّره مسؤول.',
    unknown: 'إن لم تكن أنت فتواصل فورًا مع أحد مسؤولي المؤسسة.',
  },
  addressCheck: {
    subject: (organization) => `أكِّد عنوانك الجديد في ${own(organization)}`,
    happened: (organization, oldAddress) =>
      `سيكون هذا عنوان البريد الجديد لحسابك في ${own(organization)}، وكان حتى الآن ${own(oldAddress)}.`,
    link: (url) => `لتأكيده افتح هذا الرابط:\n${url}`,
    validity: 'الرابط صالح ليوم واحد. إن لم تطلب ذلك فلا تفعل شيئًا: لن يتغيَّر شيء.',
  },
  addressProof: {
    subject: (organization) => `أكِّد عنوانك في ${own(organization)}`,
    happened: (name, organization) =>
      `أنشأ أحدهم، ولعله أنت، حساب ${own(name)} في ${own(organization)} بعنوان البريد هذا. لن يصله بريد آخر من هناك حتى يُؤكَّد.`,
    validity: 'الرابط صالح ليوم واحد. إن لم يكن الحساب لك فلا تفعل شيئًا.',
  },
  signUp: {
    subject: (organization) => `الانضمام إلى ${own(organization)}`,
    happened: (referrer, organization) =>
      `يريد أحدهم، ولعله أنت، الانضمام إلى ${own(organization)} بعنوان البريد هذا عبر رابط دعوة من ${own(referrer)}.`,
    link: (url) => `لإنشاء حسابك افتح هذا الرابط:\n${url}`,
    validity: 'الرابط صالح ليوم واحد. إن لم تطلب ذلك فلا تفعل شيئًا: لن يُنشأ حساب.',
    hasAccount: (organization, url) => `لديك حساب في ${own(organization)}. سجِّل الدخول إليه هنا:\n${url}`,
  },
  passwordReset: {
    subject: (organization) => `كلمة مرور جديدة في ${own(organization)}`,
    happened: (organization) => `يريد أحدهم، ولعله أنت، كلمة مرور جديدة لحسابك في ${own(organization)}.`,
    link: (url) => `لاختيارها افتح هذا الرابط:\n${url}`,
    validity: 'الرابط صالح ليوم واحد. إن لم تطلب ذلك فلا تفعل شيئًا: تبقى كلمة مرورك كما هي.',
  },
  connection: {
    subject: (organization) => `هل تسمح بطريقة جديدة لتسجيل الدخول إلى ${organization}؟`,
    happened: (address, organization, name) =>
      `أراد شخص ما، غالبًا أنت، تسجيل الدخول باسم ${address} إلى ${organization} عبر ${name ?? 'نظام آخر تابع للمؤسسة'}. لقد استخدمت هذا الحساب بدونه حتى الآن، لذلك يجب السماح به مرة واحدة.`,
    link: (url) => `للسماح به، افتح هذا الرابط:\n${url}`,
    validity:
      'الرابط صالح ليوم واحد. إذا لم تكن أنت، فلا تفعل شيئًا: لا يمكن لأحد تسجيل الدخول بهذه الطريقة، ولكن أخبر أحد المسؤولين.',
  },
  ofAccounts: {
    address: {
      subject: (name, organization) => `تم تغيير عنوان ${name} في ${organization}`,
      happened: (name, before, address, by) =>
        `غيّر ${by ?? 'موفّر الهوية (SCIM)'} عنوان البريد الإلكتروني لـ ${name} من ${before} إلى ${address}.`,
      unconfirmed: (name) =>
        `لن يفتح الحساب إلا بعد أن يؤكده ${name}. تصلك هذه الرسالة لأنك من مالكي المؤسسة.`,
    },
    opened: {
      subject: (name, organization) => `تم فتح حساب ${name} في ${organization} بطريقة جديدة`,
      happened: (name, address, way) =>
        `سجّل شخص ما الدخول باسم ${name} (${address}) عبر ${way ?? 'رمز من نظام آخر'} لم يكن هذا الحساب مرتبطًا به.`,
    },
    allowed: 'يسمح مشغّل الخادم بذلك (OWNER_ACCOUNT_ACCESS). تصلك هذه الرسالة لأنك من مالكي المؤسسة.',
  },
  importedAccount: {
    subject: (organization) => `حسابك في ${own(organization)}`,
    happened: (organization) =>
      `انتقلت ${own(organization)} إلى هنا مع كل ما كتبه فريقك حتى الآن. لك حساب جاهز.`,
    link: (url) => `لاختيار كلمة مرور والدخول افتح هذا الرابط:\n${url}`,
    validity: (url) => `الرابط صالح ليوم واحد. وبعد ذلك تحصل على رابط آخر هنا:\n${url}`,
    logIn: (url, ways) => `للدخول${ways === '' ? '' : ` باستخدام ${own(ways)}`} افتح هذه الصفحة:\n${url}`,
    address: (address) => `استخدم هناك حسابك الذي عنوان بريده ${own(address)}.`,
  },
  invitation: {
    subject: (referrer, organization) => `يدعوك ${own(referrer)} إلى الانضمام إلى ${own(organization)}`,
    reminder: (organization) => `تذكير: انضم إلى ${own(organization)}`,
    happened: (referrer, address, organization) =>
      `يدعوك ${own(referrer)} (${own(address)}) إلى الانضمام إلى ${own(organization)}، حيث يتحدث الفريق.`,
    until: (time) => `الرابط صالح حتى ${own(time)}.`,
    forEver: 'لا تنتهي صلاحية الرابط.',
  },
  closedAccount: {
    subject: (organization) => `عُطِّل حسابك في ${own(organization)}`,
    happened: (by, address, organization) =>
      `عطَّل ${own(by)} حسابك (${own(address)}) في ${own(organization)}. لم يعد بإمكانك تسجيل الدخول.`,
    comment: (by) => `كتب ${own(by)}:`,
  },
  closedOrganization: {
    subject: (organization) => `عُطِّلت مؤسستك ${own(organization)}`,
    happened: (by, organization, origin, day) =>
      `عطَّل ${own(by)} المؤسسة ${own(organization)} (${own(origin)}) في ${own(day)} (UTC). لم يعد بإمكان أحد تسجيل الدخول.`,
    kept: 'بياناتها محفوظة.',
    deleted: (day) => `ستُحذف جميع بياناتها نهائيًا في ${own(day)} (UTC).`,
    reopen: (url, ends) =>
      `${ends ? 'حتى ذلك الحين ' : ''}يمكن لأي من مالكيها إعادة تفعيلها: اطلب رابطًا هنا:\n${url}`,
  },
  reopenedOrganization: {
    subject: (organization) => `إعادة تفعيل مؤسستك ${own(organization)}`,
    happened: (organization) => `يريد أحدهم، ولعله أنت، إعادة تفعيل ${own(organization)}.`,
    link: (url) => `لفعل ذلك افتح هذا الرابط:\n${url}`,
    validity: 'الرابط صالح ليوم واحد ولمرة واحدة. إن لم تطلب ذلك فلا تفعل شيئًا: تبقى المؤسسة معطَّلة.',
  },
  welcome: {
    subject: (organization) => `مرحبًا بك في ${own(organization)}`,
    happened: (organization, origin, address) =>
      `لديك الآن حساب في ${own(organization)}. تجده هنا:\n${origin}/\nسجِّل الدخول بالعنوان ${own(address)}.`,
    begin:
      'يجري الحديث هناك في قنوات، وفي كل قناة موضوعات: الموضوع محادثة واحدة يمكن الرجوع إليها. للبدء، ألقِ التحية في موضوع خاص بك أو تصفَّح الموضوعات الموجودة.',
    password: (url) => `إن نسيت كلمة مرورك يومًا فاختر كلمة جديدة هنا:\n${url}`,
  },
  guide: {
    subject: 'الموضوعات تفصل بين المحادثات',
    said: (organization) => [
      `أنت في ${own(organization)} منذ بضعة أيام. أمر واحد يجعلها أسهل من غيرها عند الاعتياد عليه: لكل رسالة في قناة موضوع.`,
      'ابدأ موضوعًا جديدًا لكل سؤال جديد، باسم من كلمات قليلة يبيِّن ما هو. ورُد في الموضوع الموجود. هكذا لا تختلط محادثتان، ويسهل العثور على ما اتُّفق عليه.',
      'بالقراءة موضوعًا بعد موضوع ترى ما انتهت إليه المحادثة، ويمكنك ترك ما لا يعنيك: اكتمه، وتابِع ما يعنيك. وإذا أُجيب عن السؤال فحدِّد موضوعه كمحلول.',
    ],
    unsubscribe: 'إيقاف نصائح الاستخدام',
  },
  pausedAddress: (address, reason) =>
    `لا يصل البريد إلى عنوانك \`${address}\`: قال خادمه إنه لن يصل أبدًا (\`${reason}\`). لن يُرسل إليه بعد الآن بريد الرسائل الفائتة أو تسجيلات الدخول أو الملخصات. في إعداداتك، ضمن «الحساب»، أدخل عنوانًا آخر، أو العنوان نفسه مرة أخرى لتُعاد المحاولة.`,
  missed: {
    // Without a mark of direction: filters of spam look for those in names of senders.
    senderName: (organization) => `إشعارات ${organization}`,
    subject: {
      direct: (sender) => `رسائل مباشرة مع ${own(sender)}`,
      group: (others) => `محادثة جماعية مع ${names(others)}`,
      channel: (channel, topic, isResolved) =>
        `${isResolved ? '[محلول] ' : ''}${own(`#${channel}`)} > ${own(topic)}`,
      hidden: 'رسائل جديدة',
    },
    before: 'قبل ذلك:',
    after: 'الجديد:',
    hiddenSpoiler: '(نص مخفي: افتح الرسالة لرؤيته.)',
    long: '(هذه الرسالة أطول من أن تُعرض في البريد.)',
    more: (count) => `وهناك ${counted(count, MORE_MESSAGES)}.`,
    hiddenBy: (reason, organization, count) =>
      `لك في ${own(organization)} ${counted(count, NEW_MESSAGES)}. ${reason}`,
    why: {
      mention: ({ group }) =>
        group === null
          ? 'وصلتك هذه الرسالة لأنه أُشير إليك.'
          : `وصلتك هذه الرسالة لأنه أُشير إلى ${own(`@${group}`)} وأنت في هذه المجموعة.`,
      topic_wildcard_mention: ({ conversation }) =>
        `وصلتك هذه الرسالة لأنه أُشير إلى كل من يشارك في ${conversation}.`,
      channel_wildcard_mention: ({ channel }) =>
        `وصلتك هذه الرسالة لأنه أُشير إلى الجميع في ${own(`#${channel}`)}.`,
      followed_topic: ({ conversation }) =>
        `وصلتك هذه الرسالة لأنك تتابع ${conversation} وتريد بريدًا عن الموضوعات التي تتابعها.`,
      channel: ({ channel }) => `وصلتك هذه الرسالة لأنك تريد بريدًا عن رسائل ${own(`#${channel}`)}.`,
    },
    open: 'فتح المحادثة',
    answer: 'رُد على هذه الرسالة لتكتب في المحادثة.',
    noReply: (organization) => `لا تُقرأ الردود على هذه الرسالة: رُد في ${own(organization)}.`,
    settings: 'إعدادات الإشعارات',
    unsubscribe: 'إيقاف هذه الرسائل',
  },
  digest: {
    senderName: (organization) => `ملخص ${organization}`,
    subject: (organization) => `ما فاتك في ${own(organization)}`,
    happened: (organization) => `هذا ما جاء في ${own(organization)} أثناء غيابك ولم تقرأه.`,
    missed: 'الرسائل المباشرة والإشارات',
    topics: 'موضوعات نشطة',
    channels: 'قنوات جديدة',
    more: (count, isOpen, senders) =>
      `و${isOpen ? 'على الأقل ' : ''}${counted(count, MORE_MESSAGES)}${senders.length === 0 ? '' : ` من ${names(senders)}`}.`,
    moreConversations: (count) => `و${counted(count, MORE_CONVERSATIONS)} فيها رسائل لك.`,
    moreChannels: (count) => `و${counted(count, MORE_CHANNELS)}.`,
    count: {
      conversations: (count) => `${counted(count, CONVERSATIONS)} فيها رسائل مباشرة أو إشارات إليك`,
      topics: (count) => counted(count, BUSY_TOPICS),
      channels: (count) => counted(count, NEW_CHANNELS),
    },
    open: (organization) => `فتح ${own(organization)}`,
    unsubscribe: 'إيقاف الملخصات',
  },
  hiddenBy: {
    organization: 'لا تسمح المؤسسة بعرض الرسائل في البريد.',
    reader: 'لا تسمح إعداداتك بعرض الرسائل في البريد.',
  },
  unsubscribed: {
    title: (organization) => `البريد من ${own(organization)}`,
    ask: (organization, what) => `هل تريد إيقاف ${what} من ${own(organization)}؟`,
    button: (what) => `إيقاف ${what}`,
    done: (organization, what) => `أُوقفت ${what} من ${own(organization)}. يمكنك تفعيلها من جديد في إعداداتك.`,
    what: {
      missed_messages: 'رسائل البريد عن الرسائل الفائتة',
      login: 'رسائل البريد عن تسجيلات الدخول الجديدة',
      digest: 'الملخصات',
      marketing: 'نصائح الاستخدام',
    },
  },
}

/** A noun: for one, for two, for three to ten, and for eleven and more. */
type Counted = readonly [one: string, two: string, few: string, many: string]

const MORE_MESSAGES: Counted = ['رسالة أخرى', 'رسالتان أخريان', 'رسائل أخرى', 'رسالة أخرى']
const NEW_MESSAGES: Counted = ['رسالة جديدة', 'رسالتان جديدتان', 'رسائل جديدة', 'رسالة جديدة']
const CONVERSATIONS: Counted = ['محادثة', 'محادثتان', 'محادثات', 'محادثة']
const MORE_CONVERSATIONS: Counted = ['محادثة أخرى', 'محادثتان أخريان', 'محادثات أخرى', 'محادثة أخرى']
const MORE_CHANNELS: Counted = ['قناة أخرى', 'قناتان أخريان', 'قنوات أخرى', 'قناة أخرى']
const BUSY_TOPICS: Counted = ['موضوع نشط', 'موضوعان نشطان', 'موضوعات نشطة', 'موضوعًا نشطًا']
const NEW_CHANNELS: Counted = ['قناة جديدة', 'قناتان جديدتان', 'قنوات جديدة', 'قناة جديدة']

const RULES = new Intl.PluralRules('ar')

function counted(count: number, [one, two, few, many]: Counted): string {
  if (count === 1) return one
  if (count === 2) return two
  return `${count} ${RULES.select(count) === 'few' ? few : many}`
}

function names(others: readonly string[]): string {
  const [first = '', second = '', third = ''] = others.map(own)
  if (others.length < 2) return first
  if (others.length === 2) return `${first} و${second}`
  if (others.length === 3) return `${first} و${second} و${third}`
  return `${first} و${second} و${others.length - 2} آخرين`
}
