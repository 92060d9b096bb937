import type { BulkTexts, PermissionsTexts } from './admin-en.ts'
import { own } from './isolate.ts'
import { counter } from './plural.ts'

const counted = counter('ar')

/** Arabic texts of administration. */
export const permissionsAr: PermissionsTexts = {
  plus: 'و',
  noOneElse: 'لا أحد غيرهم',
  onlyThese: 'فقط',
  find: 'البحث عن أشخاص أو مجموعات',
  addTo: (permission) => `إضافة إلى «${own(permission)}»`,
}

export const bulkAr: BulkTexts = {
  all: 'تحديد الكل',
  chosen: (count) =>
    counted(count, {
      zero: 'لم يُحدَّد أحد',
      one: 'شخص واحد محدَّد',
      two: 'شخصان محدَّدان',
      few: '# أشخاص محدَّدون',
      many: '# شخصًا محدَّدًا',
      other: '# شخص محدَّد',
    }),
  choose: (name) => `تحديد ${own(name)}`,
  role: 'تغيير الدور',
  channel: 'إضافة إلى قناة',
  group: 'إضافة إلى مجموعة',
  targets: { role: 'الدور الجديد', channel: 'القناة', group: 'المجموعة' },
  change: (count) =>
    counted(count, {
      zero: 'تغيير الأدوار',
      one: 'تغيير دور واحد',
      two: 'تغيير دورين',
      few: 'تغيير # أدوار',
      many: 'تغيير # دورًا',
      other: 'تغيير # دور',
    }),
  add: (count) =>
    counted(count, {
      zero: 'إضافة أشخاص',
      one: 'إضافة شخص واحد',
      two: 'إضافة شخصين',
      few: 'إضافة # أشخاص',
      many: 'إضافة # شخصًا',
      other: 'إضافة # شخص',
    }),
  changed: (count) =>
    counted(count, {
      two: 'تم حفظ التغييرات لشخصين.',
      few: 'تم حفظ التغييرات لـ # أشخاص.',
      many: 'تم حفظ التغييرات لـ # شخصًا.',
      other: 'تم حفظ التغييرات لـ # شخص.',
    }),
  deactivateQuestion: (count) =>
    counted(count, {
      two: 'هل تريد تعطيل حسابين؟',
      few: 'هل تريد تعطيل # حسابات؟',
      many: 'هل تريد تعطيل # حسابًا؟',
      other: 'هل تريد تعطيل # حساب؟',
    }),
  deactivated: (count) =>
    counted(count, {
      two: 'تم تعطيل حسابين.',
      few: 'تم تعطيل # حسابات.',
      many: 'تم تعطيل # حسابًا.',
      other: 'تم تعطيل # حساب.',
    }),
  makeOwners: (count) =>
    counted(count, {
      two: 'هل تريد جعل هذين الشخصين مالكين؟',
      few: 'هل تريد جعل # أشخاص مالكين؟',
      many: 'هل تريد جعل # شخصًا مالكين؟',
      other: 'هل تريد جعل # شخص مالكين؟',
    }),
}
