import { limits } from '@countersign/sdk/contract'

const kinds = ['image/png', 'image/jpeg', 'image/webp']

/** A picture that can become a logo, read without an address of its own, which pages may not show. */
export const readPicture = async (file: Blob): Promise<ImageBitmap | 'not-image' | 'too-large'> => {
  if (!kinds.includes(file.type)) return 'not-image'
  if (file.size >= limits.logoBytes) return 'too-large'
  try {
    return await createImageBitmap(file)
  } catch {
    return 'not-image'
  }
}
