import { own } from './isolate.ts'
import { grouped } from './locale.ts'
import { counter } from './plural.ts'
import type { ReadingTexts } from './reading-en.ts'

const counted = counter('ar')

export const readingAr: ReadingTexts = {
  viewer: { zoom: 'تكبير', previous: 'السابق', next: 'التالي', failed: 'تعذَّر تحميل هذه الصورة' },
  pdf: {
    file: 'PDF',
    previous: 'الصفحة السابقة',
    next: 'الصفحة التالية',
    page: (page, of) => `الصفحة ${page} من ${of}`,
    onlyFirst: (count) => `تُعرض أول ${count} صفحة فقط. نزِّل الملف لرؤية الباقي.`,
    tooLarge: (megabytes) => `لا تتوفر معاينة للملفات الأكبر من ${megabytes} ميغابايت. نزِّل الملف لقراءته.`,
    unreadable: 'تعذَّر عرض هذا الملف. نزِّله لقراءته.',
  },
  widget: {
    newTask: 'مهمة جديدة',
    add: 'إضافة',
    votes: (option, count) =>
      `${own(option)}: ${counted(count, {
        zero: 'لا أصوات',
        one: 'صوت واحد',
        two: 'صوتان',
        few: '# أصوات',
        many: '# صوتًا',
        other: '# صوت',
      })}`,
  },
  search: {
    title: 'بحث',
    filters: 'عوامل التصفية',
    results: (count, isAll) =>
      isAll
        ? counted(count, {
            zero: 'لا نتائج',
            one: 'نتيجة واحدة',
            two: 'نتيجتان',
            few: '# نتائج',
            many: '# نتيجة',
            other: '# نتيجة',
          })
        : `أكثر من ${grouped(count)} نتيجة`,
    from: 'من',
    in: 'في',
    date: 'التاريخ',
    has: 'تحتوي على',
    removeFilter: (name) => `إزالة عامل التصفية: ${own(name)}`,
    findPerson: 'البحث عن شخص',
    findChannel: 'البحث عن قناة',
    days: { 0: 'اليوم', 7: 'آخر 7 أيام', 30: 'آخر 30 يومًا', 365: 'آخر 12 شهرًا' },
    after: 'من',
    before: 'قبل',
    apply: 'تطبيق',
    anyTime: 'أي وقت',
    since: (day) => `منذ ${own(day)}`,
    until: (day) => `قبل ${own(day)}`,
    between: (from, to) => `${own(from)} – ${own(to)}`,
    kinds: { link: 'روابط', image: 'صور', attachment: 'ملفات', reaction: 'تفاعلات' },
    newest: 'الأحدث أولًا',
    oldest: 'الأقدم أولًا',
    inContext: 'عرض في السياق',
    more: 'عرض المزيد من النتائج',
    save: 'حفظ البحث',
    saved: (name) => `حُفظ «${own(name)}» في الشريط الجانبي`,
    name: 'الاسم',
    none: 'لا نتائج',
    noneHint: 'تحقَّق من الإملاء، أو استخدم كلمات أقل، أو أزل عامل تصفية.',
    noneHere: 'لا شيء يطابق كل عوامل التصفية هذه.',
    clear: 'إزالة كل عوامل التصفية',
    rename: 'إعادة تسمية',
    remove: 'إزالة من الشريط الجانبي',
    removed: (name) => `تمت إزالة «${own(name)}»`,
  },
}
