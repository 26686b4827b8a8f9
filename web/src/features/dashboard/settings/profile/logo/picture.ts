import { limits } from '@countersign/sdk/contract'

const kinds = ['image/png', 'image/jpeg', 'image/webp']

/** Loads an image file without a blob URL, which the content security policy forbids. */
export const readPicture = async (file: Blob): Promise<ImageBitmap | 'not-image' | 'too-large'> => {
  if (!kinds.includes(file.type)) return 'not-image'
  if (file.size >= limits.logoBytes) return 'too-large'
  try {
    return await createImageBitmap(file)
  } catch {
    return 'not-image'
  }
}
