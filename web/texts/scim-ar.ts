import { own } from './isolate.ts'
import type { scimEn } from './scim-en.ts'

/** Arabic texts of provisioning. */
export const scimAr: typeof scimEn = {
  hint: 'إدارة الحسابات والمجموعات من موفّر هوية، مثل Okta أو Microsoft Entra ID، باستخدام SCIM 2.0.',
  address: 'عنوان URL الأساسي لـ SCIM',
  token: 'الرمز المميز',
  none: 'لا رمز مميز. التزويد متوقف.',
  shownOnce: 'انسخ هذا الرمز الآن. لن يُعرض مرة أخرى.',
  make: 'إنشاء رمز',
  replace: 'استبدال الرمز',
  replaceQuestion: 'هل تريد استبدال الرمز؟',
  replaceHint: 'يبقى الرمز الحالي صالحًا سبعة أيام، ليكون لديك وقت لتحديث موفّر الهوية.',
  replaceUnusedHint: 'لم يُستخدم بعد، وسيتوقف عن العمل فورًا.',
  madeBy: (name, ago) => `أنشأه ${own(name)} ${ago}`,
  used: (ago) => `آخر استخدام ${ago}`,
  unused: 'لم يُستخدم بعد',
  former: (day) => `يبقى الرمز السابق صالحًا حتى ${own(day)}.`,
  formerUsed: (ago) => `آخر استخدام له ${ago}.`,
  endFormer: 'إبطال الرمز السابق الآن',
  endFormerQuestion: 'هل تريد إبطال الرمز السابق؟',
  endFormerHint: 'سيفقد موفّر الهوية الذي ما زال يستخدمه إمكانية الوصول.',
  remove: 'إيقاف التزويد',
  removeQuestion: 'هل تريد إيقاف التزويد؟',
  removeHint: 'يتوقف الرمز عن العمل. تبقى الحسابات والمجموعات كما هي.',
  owners: 'يمكنه إدارة المالكين',
  ownersHint:
    'يمكن لموفّر الهوية إضافة مالكين وإعادة تفعيلهم وتغيير أدوارهم وعناوين بريدهم. لا يمكنه أبدًا تعطيل آخر مالك.',
}
