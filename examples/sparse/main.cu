// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.cu"

#include "../example.h"

int main()
{
    const int rows = 100003, cols = 50021;
    std::vector<int> row(rows + 1), col;
    std::vector<float> value, x(cols);
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < r % 61; k++) {
            col.push_back((int)(((long long)r * 131 + k * 977) % cols));
            value.push_back((float)(k % 3));
        }
        row[r + 1] = (int)col.size();
    }
    for (int c = 0; c < cols; c++)
        x[c] = (float)(c % 4);
    const int entries = (int)col.size();
    DeviceArray<int> drow(row), dcol(col);
    DeviceArray<float> dvalue(value), dx(x), y(rows);
    float time = microseconds([&] {
        csr_product<<<(rows + 7) / 8, 256>>>(drow.get(), dcol.get(), dvalue.get(), dx.get(), y.get(), rows, cols,
                                             entries);
    });
    std::vector<float> result = y.download();
    size_t wrong = 0;
    for (int r = 0; r < rows; r++) {
        float sum = 0; // small integers: exact
        for (int j = row[r]; j < row[r + 1]; j++)
            sum += value[j] * x[col[j]];
        wrong += result[r] != sum;
    }
    return report("csr_product", wrong, rows, time, 12.0 * entries + 8.0 * rows);
}
