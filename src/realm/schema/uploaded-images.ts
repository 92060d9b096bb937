/**
 * Step `uploaded-images` of the schema: facts of an uploaded picture from its first bytes. NULL for other
 * files, and for earlier uploads. Width and height: pixels, as the picture is shown.
 */
export const UPLOADED_IMAGE_STATEMENTS: readonly string[] = [
  `ALTER TABLE attachment ADD COLUMN image_type TEXT`,
  `ALTER TABLE attachment ADD COLUMN image_width INTEGER`,
  `ALTER TABLE attachment ADD COLUMN image_height INTEGER`,
  `ALTER TABLE attachment ADD COLUMN image_animated INTEGER`,
]
