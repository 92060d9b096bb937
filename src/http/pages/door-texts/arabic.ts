import { html, isolated as own } from '../../../core/written-languages.ts'
import type { DoorTexts } from './english.ts'

export const ARABIC: DoorTexts = {
  language: 'ar',
  email: 'البريد الإلكتروني',
  password: 'كلمة المرور',
  newPassword: 'كلمة المرور (ستة أحرف على الأقل)',
  yourName: 'اسمك',
  sendLink: 'إرسال الرابط',
  toLogIn: 'الانتقال إلى تسجيل الدخول',
  tooMany: (wait) => `محاولات كثيرة جدًا. أعد المحاولة بعد ${wait}.`,
  refusals: {
    'Your username or password is incorrect':
      'لا يوجد حساب بهذا البريد وكلمة المرور. تحقَّق منهما وأعد المحاولة، أو أعد تعيين كلمة المرور.',
    'Enter a valid email address.': `أدخل عنوان بريد صالحًا، مثل ${own('name@example.com')}.`,
    'Password authentication is disabled in this organization':
      'تسجيل الدخول بكلمة المرور موقوف في هذه المؤسسة. سجِّل الدخول بطريقة أخرى أو تواصل مع أحد المسؤولين.',
    'Account is deactivated': 'حسابك معطَّل. اطلب من أحد مسؤولي المؤسسة إعادة تفعيله.',
    'This organization has been deactivated': 'عُطِّلت هذه المؤسسة. اطلب من أحد مالكيها إعادة تفعيلها.',
    'This organization is open.': 'هذه المؤسسة مفعَّلة: سجِّل الدخول إليها.',
    'That code is wrong, or was used already. Enter the newest one.':
      'الرمز غير صحيح أو سبق استخدامه. أدخل أحدث رمز.',
    'That took too long, or was tried too often. Log in again.':
      'استغرق ذلك وقتًا طويلًا أو تكررت المحاولة كثيرًا. سجِّل الدخول من جديد.',
    'That took too long, or was already done. Try again.':
      'استغرق ذلك وقتًا طويلًا أو سبق إتمامه. أعد المحاولة.',
    'This passkey does not fit. Try again, or use another way.':
      'مفتاح المرور هذا غير مطابق. أعد المحاولة أو سجِّل الدخول بطريقة أخرى.',
    'Your passkey has not checked that it is you. Log in with your password, and use it as the second step.':
      'لم يتحقق مفتاح المرور من هويتك. سجِّل الدخول بكلمة المرور واستخدم مفتاح المرور خطوةً ثانية.',
    'This link opens the account of an owner, and none has this address.':
      'هذا الرابط لحساب مالك، ولا مالك له هذا العنوان. يمكن لمدير الخادم إنشاء رابط آخر.',
    'This invitation is not valid any more.': 'انتهت صلاحية هذه الدعوة أو أُلغيت. اطلب دعوة جديدة ممن دعاك.',
    'This link is not valid any more.': 'انتهت صلاحية هذا الرابط أو سبق استخدامه. اطلب رابطًا جديدًا.',
    'Email is already in use.': 'يوجد بالفعل حساب بهذا العنوان. سجِّل الدخول به.',
    'Email addresses containing + are not allowed.':
      'لا تُقبل في هذه المؤسسة عناوين فيها +. أدخل عنوانك من دون هذا الجزء.',
    'Disposable email addresses are not allowed in this organization':
      'لا تُقبل في هذه المؤسسة العناوين المؤقتة. أدخل عنوانًا آخر.',
    'Email not allowed in this organization':
      'لا تقبل هذه المؤسسة عناوين من هذا النطاق. أدخل عنوانًا آخر أو تواصل مع أحد المسؤولين.',
    'Email address changes are disabled in this organization.':
      'تغيير عنوانك موقوف في هذه المؤسسة. تواصل مع أحد المسؤولين.',
    'This address needs to be confirmed by mail first.':
      'يجب تأكيد هذا العنوان أولًا. افتح الرابط في الرسالة التي أرسلناها إليه.',
    'This organization admits addresses of certain domains, and this server can send no mail to confirm one.':
      'تقبل هذه المؤسسة عناوين من نطاقات معيَّنة، ولا يستطيع هذا الخادم إرسال بريد لتأكيدها. اطلب من مسؤول دعوة عنوانك.',
    'The password is too weak.': 'كلمة المرور ضعيفة جدًا. اختر كلمة أطول.',
    'Bad name or username': `أدخل عنوان بريد صالحًا، مثل ${own('name@example.com')}.`,
    'Enter a name of 1 to 40 characters': 'أدخل اسمًا من 1 إلى 40 حرفًا.',
    'Enter a name of 2 to 100 characters': 'أدخل اسمًا من 2 إلى 100 حرف.',
    'Enter a valid e-mail address': 'أدخل عنوان بريد صالحًا، مثل \u2068name@example.com\u2069.',
    'Invalid characters in name!': 'في الاسم أحرف غير مسموح بها. اختر اسمًا آخر.',
    'Invalid format!': 'لا يجوز أن ينتهي الاسم بالعلامة | ورقم. اختر اسمًا آخر.',
    'Name too short!': 'الاسم قصير جدًا. أدخل حرفين على الأقل.',
    'Name too long!': 'الاسم طويل جدًا. أدخل 100 حرف على الأكثر.',
    'Unique names required in this organization.': 'هذا الاسم مستخدم هنا. أضف إليه شيئًا، كاسم العائلة.',
    'The storage of this organization is full. Only reading and deleting are possible.':
      'مساحة تخزين المؤسسة ممتلئة. اطلب من مسؤول إفساح مكان.',
    'The server cannot answer just now. Please try again in a moment.':
      'لا يستطيع الخادم الرد الآن. أعد المحاولة بعد قليل.',
    'This request comes from a page of another site.':
      'يقول متصفحك إن هذا الطلب جاء من موقع آخر. افتح الصفحة من جديد وأعد المحاولة.',
    'BigBlueButton is not configured on this server.':
      'لم يُضبط BigBlueButton على هذا الخادم. تواصل مع مدير الخادم.',
    'Invalid signature.': 'هذا الرابط ليس لمكالمة في هذه المؤسسة. افتح المكالمة مجددًا من رسالتها.',
    'Error connecting to the BigBlueButton server.': 'لا يرد خادم BigBlueButton. أعد المحاولة بعد قليل.',
    'Error authenticating to the BigBlueButton server.':
      'رفض خادم BigBlueButton المفتاح السري لهذا الخادم. تواصل مع مدير الخادم.',
    'BigBlueButton server returned an unexpected error.':
      'أبلغ خادم BigBlueButton عن خطأ. أعد المحاولة أو تواصل مع مدير الخادم.',
    'Zoom is not configured on this server.': 'لم يُضبط Zoom على هذا الخادم. تواصل مع مدير الخادم.',
    'Invalid Zoom session identifier':
      'بدأ هذا الدخول إلى Zoom في متصفح آخر أو حساب آخر، أو منذ وقت طويل. انقر زر المكالمة من جديد.',
    'Invalid subdomain': 'لا توجد مؤسسة على هذا العنوان. تحقَّق من العنوان، أو اسأل من أرسله إليك.',
    'There is no such organization here.':
      'هذه المؤسسة ليست على هذا الخادم، فلا يمكنها عرض رسائلك غير المقروءة. ارجع إلى الصفحة التي جئت منها.',
    'Zoom access was declined.': 'يقول Zoom إنك لم تسمح بالوصول. انقر زر المكالمة من جديد للسماح به.',
    'Invalid Zoom credentials':
      'رفض Zoom هذا الدخول. انقر زر المكالمة من جديد، وإن لم ينجح ذلك فتواصل مع مدير الخادم.',
    'Failed to create Zoom call': 'لا يرد Zoom. انقر زر المكالمة من جديد بعد قليل.',
  },
  logIn: {
    title: 'تسجيل الدخول',
    button: 'تسجيل الدخول',
    with: (name) => `تسجيل الدخول عبر ${own(name)}`,
    forgotten: 'هل نسيت كلمة المرور؟',
    readPublic: 'القراءة بدون حساب',
    incomplete: 'هذا الرابط غير كامل. ابدأ من جديد من التطبيق.',
  },
  secondFactor: {
    title: 'التحقق بخطوتين',
    code: 'رمز من تطبيق المصادقة، أو رمز استرداد',
    passkey: 'استخدام مفتاح مرور',
    passkeyFailed: 'لم ينجح ذلك. أعد المحاولة أو سجِّل الدخول بطريقة أخرى.',
    again: 'تسجيل الدخول من جديد',
    setUpTitle: 'إعداد التحقق بخطوتين',
    setUpAbout: 'تشترط مؤسستك خطوة ثانية عند تسجيل الدخول: رمزًا من تطبيق على هاتفك.',
    scan: 'امسح هذا بتطبيق مصادقة:',
    orType: 'أو اكتب فيه هذا المفتاح:',
    firstCode: 'الرمز الظاهر في التطبيق',
    setUpButton: 'التفعيل وتسجيل الدخول',
    codesTitle: 'رموز الاسترداد',
    codesAbout:
      'احتفظ بهذه الرموز في مكان آمن. إذا فقدت هاتفك فكل رمز يتيح لك تسجيل الدخول مرة واحدة. لن تُعرض مرة أخرى.',
    onward: 'حفظتها',
  },
  desktop: {
    title: 'تسجيل الدخول إلى تطبيق سطح المكتب',
    elsewhere: 'سجِّل الدخول في متصفحك، ثم عُد إلى التطبيق.',
    open: 'فتح المتصفح',
    paste: 'الرمز الظاهر في متصفحك',
    unreadable: 'ليس هذا الرمز الظاهر في متصفحك، أو فُتح المتصفح من نافذة أخرى.',
    copyIt: 'انسخ هذا الرمز وعُد إلى تطبيق سطح المكتب. لا يستطيع أحد غيرك قراءته.',
    token: 'لتطبيق سطح المكتب',
    copy: 'نسخ',
    copied: 'نُسخ. عُد إلى تطبيق سطح المكتب.',
    used: 'انتهت صلاحية هذا الرابط أو سبق استخدامه. ابدأ من جديد من التطبيق.',
  },
  ownerLink: {
    about: (email) => `يسجِّل هذا الرابط دخولك باسم ${own(email)} مرة واحدة.`,
    used: 'انتهت صلاحية هذا الرابط أو سبق استخدامه. يمكن لمدير الخادم إنشاء رابط آخر.',
  },
  provider: {
    again: 'الانتقال إلى صفحة تسجيل الدخول',
    troubles: {
      unknown: () => 'طريقة الدخول هذه غير متاحة هنا. ارجع واختر طريقة أخرى.',
      expired: () => 'انتهت صلاحية محاولة الدخول هذه، أو بدأت في متصفح آخر. ابدأ من جديد.',
      declined: (name) => `لم يسمح لك ${own(name)} بالدخول. ابدأ من جديد أو اختر طريقة أخرى.`,
      unreachable: (name) => `لا يرد ${own(name)}. أعد المحاولة بعد دقائق أو اختر طريقة أخرى.`,
      invalid: (name) => `لا يمكن قبول رد ${own(name)}. تواصل مع أحد مسؤولي المؤسسة: السبب في سجل التدقيق.`,
      no_address: (name) =>
        `لم يشارك ${own(name)} عنوان بريدك. أضف عنوانًا هناك أو اسمح بمشاركته، وابدأ من جديد.`,
      unverified_address: (name) => `لم يتحقق ${own(name)} من عنوان بريدك. أكمل التحقق هناك وابدأ من جديد.`,
      no_account: (name, email) =>
        `لا يوجد هنا حساب للعنوان ${own(email)}. اطلب دعوة من مسؤول أو اختر حسابًا آخر في ${own(name)}.`,
      address_not_allowed: (name, email) =>
        `لا تقبل هذه المؤسسة العنوان ${own(email)}. تواصل مع أحد المسؤولين أو اختر حسابًا آخر في ${own(name)}.`,
      other_identity: (name) =>
        `هذا الحساب مرتبط بحساب آخر في ${own(name)}. استخدم ذلك الحساب أو تواصل مع أحد المسؤولين.`,
      unconfirmed_account: (_name, email) =>
        `يوجد حساب للعنوان ${own(email)}، لكن العنوان لم يُؤكَّد. سجِّل الدخول بكلمة المرور وأكِّده، أو تواصل مع أحد المسؤولين.`,
      not_connected: (name, email) =>
        `يوجد حساب لـ ${email}، لكنه غير مرتبط بعد بـ ${name}. سجّل الدخول مرة واحدة كما في السابق، أو افتح الرابط الذي أُرسل إلى عنوان الحساب.`,
      no_name: (name) => `لا يمكن هنا استخدام الاسم الذي يذكره ${own(name)} لك. غيِّره هناك وابدأ من جديد.`,
      account_deactivated: () => 'حسابك معطَّل. اطلب من أحد مسؤولي المؤسسة إعادة تفعيله.',
      organization_deactivated: () => 'عُطِّلت هذه المؤسسة. اطلب من أحد مالكيها إعادة تفعيلها.',
      other_person: (name) =>
        `حسابك في ${own(name)} لا يخص الحساب الذي سُجِّل الدخول به هنا. اختر الحساب الآخر هناك وابدأ من جديد.`,
    },
  },
  connection: {
    title: 'ربط حسابك',
    question: (email, organization, name) =>
      `من الآن فصاعدًا يمكن فتح الحساب ${email} في ${organization} عبر ${name ?? 'رموز نظام آخر تابع للمؤسسة'}.`,
    button: 'السماح',
    done: (name) =>
      name === null
        ? 'يمكن للنظام الآخر الآن تسجيل الدخول إلى حسابك.'
        : `يمكنك الآن تسجيل الدخول عبر ${name}.`,
  },
  access: {
    absent: 'لم يُضبط Cloudflare Access هنا. سجِّل الدخول بطريقة أخرى.',
    notThrough:
      'لم يسمح لك Cloudflare Access بالمرور إلى هذا الخادم. افتح هذه الصفحة من جديد، وإن لم يُفد ذلك فاسأل مدير الخادم هل يحميه Access.',
    nobody: 'سمح Cloudflare Access بمرور خدمة، لا شخص له عنوان بريد.',
    noAccount: (email) => `لا يوجد هنا حساب للعنوان ${own(email)}. اطلب من أحد في المؤسسة أن يدعوك.`,
    unreachable: 'لا يرد Cloudflare Access. أعد المحاولة بعد قليل.',
  },
  call: { title: 'مكالمة' },
  zoom: {
    title: 'Zoom',
    done: 'سجَّلت الدخول إلى Zoom. يمكنك إغلاق هذه النافذة: تُنشأ مكالمتك في النافذة الأخرى.',
  },
  unread: {
    title: 'الرسائل غير المقروءة',
    ask: (here, page) =>
      `هل تريد عرض عدد رسائلك غير المقروءة في ${own(here)} على الصفحة ${own(page)}؟ لن يُشارَك أي شيء آخر، وينتهي ذلك عند تسجيل خروجك من هنا.`,
    allow: 'عرض العدد',
    back: 'العودة دون عرضه',
  },
  missing: { title: 'الصفحة غير موجودة', about: 'لا يوجد شيء في هذا العنوان. تحقّق منه أو ابدأ من جديد.' },
  mail: { title: 'البريد', broken: 'هذا الرابط غير صالح أو غير كامل. افتحه مرة أخرى من الرسالة.' },
  help: {
    title: 'المساعدة',
    elsewhere: (host) => `مساعدة التطبيقات المتوافقة مع Zulip في موقع آخر، ${own(host)}:`,
  },
  logOut: { title: 'تسجيل الخروج' },
  reset: {
    title: 'إعادة تعيين كلمة المرور',
    question: 'أدخل عنوان بريدك. سنرسل إليك رابطًا لاختيار كلمة مرور جديدة.',
    sent: (email) => `إن كان هناك حساب للعنوان ${own(email)} فستصلك رسالة فيها رابط.`,
    account: (email, organization) => html`للحساب ${own(email)} في <strong>${own(organization)}</strong>.`,
    button: 'تعيين كلمة المرور',
    done: (email, organization) =>
      html`تغيَّرت كلمة مرورك للحساب ${own(email)} في <strong>${own(organization)}</strong>. سجِّل الدخول بها هنا وفي تطبيقاتك.`,
  },
  newAddress: {
    title: 'تأكيد عنوان بريدك الجديد',
    before: (name, organization, email) =>
      html`عنوان حساب ${own(name)} في <strong>${own(organization)}</strong> هو ${own(email)}. سيكون عنوانه الجديد:`,
    button: 'تأكيد',
    done: (email) =>
      `صار عنوان بريدك ${own(email)}. سجِّل الدخول به. ستطلب منك التطبيقات التي تعرف العنوان القديم تسجيل الدخول من جديد.`,
  },
  ownAddress: {
    title: 'تأكيد عنوان بريدك',
    question: (name, organization) =>
      html`هل هذا العنوان لحساب ${own(name)} في <strong>${own(organization)}</strong>؟`,
    button: 'تأكيد',
    done: (email) => `أُكِّد العنوان ${own(email)}.`,
  },
  join: {
    title: 'الانضمام',
    invited: (referrer, organization) =>
      html`دعاك ${own(referrer)} إلى الانضمام إلى <strong>${own(organization)}</strong>.`,
    question: 'أدخل عنوان بريدك. سنرسل إليك رابطًا لإنشاء حسابك.',
    sent: (email) => `أرسلنا رسالة إلى ${own(email)}. افتح الرابط الذي فيها لإنشاء حسابك.`,
    with: (name) => `الانضمام عبر ${own(name)}`,
    button: 'الانضمام',
    welcome: (organization) => html`مرحبًا بك في <strong>${own(organization)}</strong>.`,
    how: 'سجِّل الدخول هنا أو في تطبيقك، بعنوان هذا الخادم وبريدك الإلكتروني.',
  },
  setUp: {
    title: 'إنشاء مؤسستك',
    about: 'ستكون مالكها، ويمكنك دعوة الآخرين.',
    organization: 'اسم المؤسسة',
    location: 'موقع الفريق',
    locationHint: 'المكان الذي تُحفظ فيه بياناتها. لا يمكن تغييره لاحقًا.',
    locations: {
      '': 'بالقرب مني',
      wnam: 'أمريكا الشمالية، الغرب',
      enam: 'أمريكا الشمالية، الشرق',
      sam: 'أمريكا الجنوبية',
      weur: 'أوروبا الغربية',
      eeur: 'أوروبا الشرقية',
      apac: 'آسيا والمحيط الهادئ',
      oc: 'أوقيانوسيا',
      afr: 'أفريقيا',
      me: 'الشرق الأوسط',
    },
    kept: (jurisdiction) => `تُحفظ بياناتها ضمن الولاية القضائية ${own(jurisdiction)}.`,
    button: 'إنشاء المؤسسة',
    used: 'انتهت صلاحية هذا الرابط أو سبق استخدامه. يحصل مدير الخادم على رابط آخر عند تشغيل الخادم أو نشره من جديد.',
  },
  reactivation: {
    title: 'إعادة تفعيل هذه المؤسسة',
    question:
      'إن عُطِّلت هذه المؤسسة فيمكن لمالكيها إعادة تفعيلها إلى أن تُحذف بياناتها. أدخل عنوان بريدك. سنرسل إليك رابطًا.',
    sent: (email) => `إن كان العنوان ${own(email)} لأحد مالكي هذه المؤسسة فستصلك رسالة فيها رابط.`,
    isClosed: (organization) =>
      html`<strong>${own(organization)}</strong> معطَّلة. عند إعادة تفعيلها يمكن لكل من له حساب تسجيل الدخول مجددًا. لم يُحذف شيء.`,
    button: 'إعادة التفعيل',
    done: (organization) => html`<strong>${own(organization)}</strong> مفعَّلة من جديد.`,
  },
  deactivated: {
    title: 'عُطِّلت هذه المؤسسة',
    about: 'لا يمكن لأحد تسجيل الدخول حتى يعيد أحد مالكيها تفعيلها.',
  },
}
