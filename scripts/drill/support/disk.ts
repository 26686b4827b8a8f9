import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from './fault.ts'
import { installPrograms, mustBeRoot, run } from './tools.ts'

/** `EXT4_IOC_SHUTDOWN` without flushing the journal: from now on nothing reaches the disk, as when power fails. */
const shutDown = `open(my $folder, '<', $ARGV[0]) or die $!; my $flags = pack('L', 2); ioctl($folder, 0x8004587d, $flags) or die $!`

/** A small ext4 file system in a file, which can be filled, and whose power can be cut. */
export const createDisk = async ({ onEnd }: Pick<Drill, 'onEnd'>, megabytes: number) => {
  mustBeRoot('mounts a file system')
  await installPrograms({ 'mkfs.ext4': 'e2fsprogs', mount: 'mount', perl: 'perl-base' })
  const outer = mkdtempSync(join(tmpdir(), 'countersign-disk-'))
  chmodSync(outer, 0o755)
  const image = join(outer, 'image')
  const folder = join(outer, 'mounted')
  mkdirSync(folder)
  writeFileSync(image, '')
  truncateSync(image, megabytes * 1024 * 1024)
  await run('mkfs.ext4', ['-q', '-m', '0', image])

  const mount = async () => {
    await run('mount', ['-o', 'loop', image, folder])
    chmodSync(folder, 0o755)
  }
  /** Processes that were killed may need a moment to close their files. */
  const unmount = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        await run('umount', [folder])
        return
      } catch (error) {
        if (attempt === 100) throw error
        await wait(50)
      }
    }
  }
  await mount()
  onEnd(async () => {
    await unmount().catch(() => run('umount', ['-l', folder]))
    rmSync(outer, { recursive: true, force: true })
  })

  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Uses all free space. */
    fill: () => {
      const file = openSync(ballast, 'a')
      try {
        for (const size of [1024 * 1024, 4096, 512]) while (hasWritten(file, size));
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    },
    cutPower: () => run('perl', ['-e', shutDown, folder]),
    /** What is on the disk after the cut. No process may use the folder. */
    restorePower: async () => {
      await unmount()
      await mount()
    },
  }
}

const hasWritten = (file: number, size: number) => {
  try {
    return writeSync(file, Buffer.alloc(size, 1)) === size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
