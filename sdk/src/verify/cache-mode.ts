/** Whether `fetch` supports `cache`; some runtimes throw. */
export const isCacheKnown = () => typeof Request === 'function' && 'cache' in Request.prototype
